/** The bytes of the two line ends; CR LF is one line end too. */
export const LF = 10;
/** See `LF`. */
export const CR = 13;

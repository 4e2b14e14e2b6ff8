/** The version of the library, which every model file names; a test holds it equal to the one of the package. */
export const version = '0.1.0';

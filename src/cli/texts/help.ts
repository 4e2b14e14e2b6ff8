/** The frame of the help pages. */
export const help = {
  arguments: () => 'Arguments',
  options: () => 'Options',
  everywhere: () => 'Everywhere',
  commands: () => 'Commands',
  examples: () => 'Examples',
  version: () => 'the version',
  aliases: (names: readonly string[]) => `Also called ${names.join(', ')}.`,
  more: (command: string) => `All options: polya ${command} --help`,
  topics: () => 'polya help TOPIC: formats, models, smoothing, config, exit-codes',
  start: (version: string, bold: (text: string) => string, commands: readonly string[]) =>
    `${bold('polya')} ${version}: classification by counting, for text and tables

  polya demo sms                         writes a sample data set, sms.csv
  polya fit sms.csv -o sms.polya         chooses, fits and evaluates a model
  polya predict -m sms.polya --text "…"  predicts a label; --explain 4 says why

Commands: ${commands.slice(0, 12).join(' ')}
          ${commands.slice(12).join(' ')}
polya COMMAND -h shows the usual options, --help all of them.
`,
} as const;

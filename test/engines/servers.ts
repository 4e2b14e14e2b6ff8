/** The servers that the script of a suite started. */
export function startedServers<Servers>(): Servers {
  const told = process.env.POLYA_SERVERS;
  if (told === undefined)
    throw new Error('these tests need servers: npm run test:clickhouse, test:spark, test:postgres');
  return JSON.parse(told) as Servers;
}

/** The servers that the script of a suite started. */
export function startedServers<Servers>(): Servers {
  const given = process.env.POLYA_SERVERS;
  if (given === undefined)
    throw new Error('these tests need servers: npm run test:clickhouse, test:spark, test:postgres');
  return JSON.parse(given) as Servers;
}

/** The entry points by the name of their file in dist/lib, each with its source. */
export const entryPoints = {
  index: 'src/index.ts',
  node: 'src/node.ts',
  exchange: 'src/exchange.ts',
  predict: 'src/predict.ts',
  workbench: 'src/workbench.ts',
  client: 'src/client.ts',
  server: 'src/server.ts',
  engines: 'src/engines.ts',
  clickhouse: 'src/engines/clickhouse/index.ts',
  duckdb: 'src/engines/duckdb/index.ts',
  postgres: 'src/engines/postgres/index.ts',
  spark: 'src/engines/spark/index.ts',
};

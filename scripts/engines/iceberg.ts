import { execFileSync } from 'node:child_process';
import { filledFolder } from './cache.ts';

const PYICEBERG = '0.12.0';

/** Creates a table from a CSV file, appends its rows in two commits, and deletes some of them again. */
const PROGRAM = `
import sys, pyarrow, pyarrow.csv
from pyiceberg.catalog.sql import SqlCatalog
folder, file, without = sys.argv[1:]
catalog = SqlCatalog('own', uri=f'sqlite:///{folder}/catalog.db', warehouse=f'file://{folder}')
catalog.create_namespace('shop')
rows = pyarrow.csv.read_csv(file)
table = catalog.create_table('shop.orders', schema=rows.schema)
half = rows.num_rows // 2
table.append(rows.slice(0, half))
table.append(rows.slice(half))
table.delete(without)
print(table.metadata_location)
`;

/** Writes the rows of a CSV file into a table of Iceberg below a folder with pyiceberg; returns its last metadata file. */
export function writeIceberg(folder: string, file: string, without: string): string {
  const python = process.env.POLYA_PYTHON ?? 'python3';
  const packages = filledFolder(`pyiceberg-${PYICEBERG}`, (target) => {
    const options = ['--quiet', '--disable-pip-version-check', '--target', target];
    const wanted = `pyiceberg[sql-sqlite,pyarrow]==${PYICEBERG}`;
    execFileSync(python, ['-m', 'pip', 'install', ...options, wanted], { stdio: 'ignore' });
  });
  const options = { encoding: 'utf8', env: { ...process.env, PYTHONPATH: packages } } as const;
  const location = execFileSync(python, ['-c', PROGRAM, folder, file, without], options).trim();
  return location.replace(/^file:\/\//, '');
}

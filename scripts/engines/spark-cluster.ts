import { type ExecFileSyncOptions, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, filledFolder } from './cache.ts';
import { freePorts, listens, start, waitFor } from './processes.ts';

/** A running cluster: master, two workers with one executor each, and a Spark Connect server. */
export interface SparkCluster {
  readonly url: string;
  /** The driver's REST API, with executors, their tasks and their shuffles. */
  readonly rest: string;
}

/** The release under test; POLYA_PYSPARK names another one, such as 3.5.7. */
const PYSPARK = process.env.POLYA_PYSPARK ?? '4.3.0';
const INSTALLED = `pyspark-${PYSPARK}`;

/** Options for short-lived Java: fast compilation, single-threaded garbage collection. */
const QUICK = '-XX:+UseSerialGC -XX:TieredStopAtLevel=1';

/** The first Java release that Spark 4 runs on. */
const LEAST_JAVA = 17;

/** The memory of the six processes of the cluster and the suite. */
const LEAST_MEMORY = 4e9;

/** Why Spark cannot run here, in one line; undefined if it can. */
export function sparkIsMissing(): string | undefined {
  if (Math.min(freemem(), process.constrainedMemory() || Infinity) < LEAST_MEMORY)
    return 'Spark needs 4 GB of free memory';
  const java = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin/java') : 'java';
  const { stderr, error } = spawnSync(java, ['-version'], { encoding: 'utf8' });
  const release = Number(/version "(\d+)/.exec(stderr ?? '')?.[1]);
  if (error || !(release >= LEAST_JAVA)) return `Spark needs Java ${LEAST_JAVA} or later`;
  if (process.env.SPARK_HOME || existsSync(join(cacheFolder(), INSTALLED)) || python()) return undefined;
  return 'Spark needs SPARK_HOME, or Python with pip to install it';
}

function python(): string | undefined {
  const command = process.env.POLYA_PYTHON ?? 'python3';
  return spawnSync(command, ['-m', 'pip', '--version']).status === 0 ? command : undefined;
}

/** SPARK_HOME, or the one that pip installs into the cache. */
export function sparkHome(): string {
  if (process.env.SPARK_HOME) return process.env.SPARK_HOME;
  const folder = filledFolder(INSTALLED, (target) => {
    const options = ['--quiet', '--disable-pip-version-check', '--no-compile', '--target', target];
    const own: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'inherit'] };
    execFileSync(python()!, ['-m', 'pip', 'install', ...options, `pyspark==${PYSPARK}`], own);
    // before Spark 4 the Connect server was a package of its own
    const jars = join(target, 'pyspark/jars');
    if (readdirSync(jars).some((name) => name.startsWith('spark-connect'))) return;
    const jar = `spark-connect_2.12-${PYSPARK}.jar`;
    const address = `https://repo1.maven.org/maven2/org/apache/spark/spark-connect_2.12/${PYSPARK}/${jar}`;
    execFileSync('curl', ['--fail', '--silent', '--show-error', '--output', join(jars, jar), address], own);
  });
  return join(folder, 'pyspark');
}

/**
 * Starts the cluster on loopback ports. Six Java processes with small heaps: about 3 GB together. Benchmarks give other options for
 * the executors, since the default compiles quickly to slow code.
 */
export async function startSpark(folder: string, java: string = QUICK): Promise<SparkCluster> {
  const home = sparkHome();
  const [masterPort, masterWeb, connectPort, rest, ...workerWeb] = await freePorts(6);
  const master = `spark://127.0.0.1:${masterPort}`;
  const env = environment(home, folder);
  const launch = (name: string, program: string, args: readonly string[], memory: string) => {
    const log = join(folder, `${name}.log`);
    const options = { log, cwd: folder, env: { ...env, SPARK_DAEMON_MEMORY: memory } };
    return { log, child: start(join(home, 'bin', program), args, options) };
  };
  mkdirSync(join(folder, 'local'));
  const place = ['--host', '127.0.0.1', '--port', String(masterPort), '--webui-port', String(masterWeb)];
  const first = launch('master', 'spark-class', ['org.apache.spark.deploy.master.Master', ...place], '192m');
  await waitFor('the Spark master', () => listens(masterPort), { seconds: 300, ...first });
  for (const [k, web] of workerWeb.entries()) {
    const size = [
      '--cores',
      '1',
      '--memory',
      '1g',
      '--webui-port',
      String(web),
      '--work-dir',
      join(folder, `work-${k}`),
    ];
    const worker = ['org.apache.spark.deploy.worker.Worker', ...size, '--host', '127.0.0.1', master];
    launch(`worker-${k}`, 'spark-class', worker, '192m');
  }
  const server = launch('connect', 'spark-submit', submission(master, folder, java, connectPort, rest), '1g'); // a daemon too
  const url = `http://127.0.0.1:${rest}/api/v1`;
  await waitFor('Spark Connect', async () => (await listens(connectPort)) && (await executors(url)).length === 2, {
    seconds: 600,
    ...server,
  });
  return { url: `sc://127.0.0.1:${connectPort}`, rest: url };
}

function environment(home: string, folder: string): Record<string, string> {
  return {
    SPARK_HOME: home,
    SPARK_LOCAL_IP: '127.0.0.1',
    SPARK_DAEMON_JAVA_OPTS: QUICK,
    SPARK_LOCAL_DIRS: join(folder, 'local'),
    SPARK_NO_DAEMONIZE: '1',
  };
}

function submission(master: string, folder: string, java: string, port: number, rest: number): string[] {
  const conf = {
    'spark.connect.grpc.binding.address': '127.0.0.1',
    'spark.connect.grpc.binding.port': port,
    'spark.connect.progress.reportInterval': '200ms',
    'spark.driver.host': '127.0.0.1',
    'spark.driver.bindAddress': '127.0.0.1',
    'spark.executor.cores': 1,
    'spark.cores.max': 2,
    'spark.executor.extraJavaOptions': java,
    'spark.sql.shuffle.partitions': 2,
    'spark.sql.catalogImplementation': 'in-memory',
    'spark.sql.warehouse.dir': join(folder, 'warehouse'),
    'spark.ui.port': rest,
    'spark.log.level': 'WARN',
  };
  const memory = ['--executor-memory', '768m', '--driver-java-options', java];
  return [
    ...['--master', master, ...memory],
    ...Object.entries(conf).flatMap(([name, value]) => ['--conf', `${name}=${value}`]),
    ...['--class', 'org.apache.spark.sql.connect.service.SparkConnectServer', 'spark-internal'],
  ];
}

/** An executor in the driver's REST API. */
export interface SparkExecutor {
  readonly id: string;
  readonly isActive: boolean;
  readonly activeTasks: number;
  readonly completedTasks: number;
  readonly totalShuffleWrite: number;
}

/** The only application of the cluster: that of the Connect server. */
export async function applicationOf(rest: string): Promise<string> {
  const [{ id }] = (await (await fetch(`${rest}/applications`)).json()) as { id: string }[];
  return id;
}

/** Its executors, including dead ones, without the driver. */
export async function executors(rest: string): Promise<SparkExecutor[]> {
  const answer = await fetch(`${rest}/applications/${await applicationOf(rest)}/allexecutors`);
  return ((await answer.json()) as SparkExecutor[]).filter(({ id }) => id !== 'driver');
}

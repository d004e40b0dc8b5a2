import { Worker } from 'node:worker_threads'

/** What is needed of a worker thread by whoever hands it work. */
export type ThreadHandle = Pick<Worker, 'postMessage' | 'on' | 'terminate' | 'ref' | 'unref'>

/**
 * Begins a thread with the module `name` that stands beside `beside` (the `import.meta.url` of the caller), from the
 * sources as well as from the compiled package.
 */
export function spawnThread(beside: string, name: string, workerData: unknown): Worker {
  return beside.endsWith('.ts')
    ? fromSources(new URL(`./${name}.ts`, beside), workerData)
    : new Worker(new URL(`./${name}.js`, beside), { workerData })
}

/** A thread does not inherit what lets Node.js read the sources. */
function fromSources(entry: URL, workerData: unknown): Worker {
  const loader = import.meta.resolve('tsx/esm/api')
  const start = `register() && import(${JSON.stringify(entry.href)})`
  const code = `import(${JSON.stringify(loader)}).then(({ register }) => ${start})`
  return new Worker(code, { eval: true, workerData, execArgv: [] })
}

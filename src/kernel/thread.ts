import { Worker } from 'node:worker_threads'

export type ThreadHandle = Pick<Worker, 'postMessage' | 'on' | 'terminate' | 'ref' | 'unref'>

/** Starts the module `name` beside `beside` (the caller's `import.meta.url`), from sources or the compiled package. */
export function spawnThread(beside: string, name: string, workerData: unknown): Worker {
  return beside.endsWith('.ts')
    ? fromSources(new URL(`./${name}.ts`, beside), workerData)
    : new Worker(new URL(`./${name}.js`, beside), { workerData })
}

/** Threads do not inherit the loader of TypeScript. */
function fromSources(entry: URL, workerData: unknown): Worker {
  const loader = import.meta.resolve('tsx/esm/api')
  const start = `register() && import(${JSON.stringify(entry.href)})`
  const code = `import(${JSON.stringify(loader)}).then(({ register }) => ${start})`
  return new Worker(code, { eval: true, workerData, execArgv: [] })
}

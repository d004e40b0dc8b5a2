import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'

/** The process groups that were started and have not ended, so that nothing outlives the run. */
const running = new Set()

/**
 * Starts a program in a process group of its own. Only `environment` reaches it, and the path to programs. Ends it
 * after `limitMs`, which `ended` tells as `timedOut`.
 */
export function start(program, args, { environment = {}, cwd, limitMs }) {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child.pid)
  const started = { child, output: '', errors: '', timedOut: false }
  // Whoever is no longer there when something is written to it has ended, and that is told by `ended`.
  child.stdin.on('error', () => undefined)
  child.stdout.setEncoding('utf8').on('data', (part) => {
    started.output += part
  })
  child.stderr.setEncoding('utf8').on('data', (part) => {
    started.errors += part
  })
  const limit = setTimeout(() => {
    started.timedOut = true
    end(child.pid, 'SIGKILL')
  }, limitMs)
  started.ended = once(child, 'close').then(([code]) => {
    clearTimeout(limit)
    running.delete(child.pid)
    return { code, output: started.output, errors: started.errors, timedOut: started.timedOut }
  })
  started.stop = async (signal = 'SIGTERM') => {
    end(child.pid, signal)
    return started.ended
  }
  return started
}

/** Runs a program to its end. */
export function run(program, args, options) {
  const started = start(program, args, options)
  started.child.stdin.end()
  return started.ended
}

/** Ends every process that was started and is still there. */
export function endAll() {
  for (const pid of running) end(pid, 'SIGKILL')
}

/**
 * Waits until `look` answers something true; fails when the process ends before, which its limit sees to at the latest.
 */
export async function until(look, started, what) {
  for (;;) {
    const found = look()
    if (found) return found
    if (started.child.exitCode !== null || started.child.signalCode !== null)
      throw new Error(`it ended before ${what}: ${tailOf(started)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** The last lines that a process wrote, as a reason for its failure. */
export function tailOf({ output, errors }) {
  return `${output}\n${errors}`.trim().split('\n').slice(-25).join('\n')
}

export async function freePort() {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

function end(pid, signal) {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // A group that has ended meanwhile is what is wanted.
    if (error.code !== 'ESRCH') throw error
  }
}

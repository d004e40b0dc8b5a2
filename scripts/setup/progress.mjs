import { spawn } from 'node:child_process'
import { PROJECT } from './project.mjs'

const QUIET_MS = 10_000

/** Speaks to the person at the terminal; standard output belongs to the commands' results. */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

/**
 * Runs a program to its end and shows that time goes by: a counter on a terminal, else a line every ten seconds. What
 * the program prints is kept back and returned, for the case that it fails. Ctrl-C ends it too. Without a title
 * the step runs beside another one that shows the time.
 */
export function runStep(title, file, args, env = process.env) {
  const child = spawn(file, args, { cwd: PROJECT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const stopCounting = title === null ? () => undefined : count(title)
  const forget = passSignals(child)
  let output = ''
  const keep = (text) => {
    output = (output + text).slice(-4000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise((done) => {
    const end = (code, more = '') => {
      forget()
      stopCounting(code === 0)
      done({ code, output: (output + more).trim() })
    }
    child.once('error', (error) => end(1, error.message))
    child.once('close', (code) => end(code ?? 1))
  })
}

function count(title) {
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  const live = Boolean(process.stderr.isTTY)
  if (live) process.stderr.write(`${title} ...`)
  else say(`${title} ...`)
  const show = () => process.stderr.write(live ? `\r${title} ... ${seconds()} s` : `${title} ... ${seconds()} s\n`)
  const timer = setInterval(show, live ? 1000 : QUIET_MS)
  return (well) => {
    clearInterval(timer)
    say(`${live ? '\r' : ''}${title}: ${well ? 'done' : 'failed'} after ${((Date.now() - began) / 1000).toFixed(1)} s`)
  }
}

/** A signal for us is one for the program we wait for, and ends us as soon as it has ended. */
function passSignals(child) {
  const numbers = { SIGINT: 2, SIGTERM: 15 }
  const handlers = Object.entries(numbers).map(([name, number]) => {
    const handler = () => {
      child.once('close', () => process.exit(128 + number))
      child.kill(name)
    }
    process.on(name, handler)
    return () => process.off(name, handler)
  })
  return () => {
    for (const forget of handlers) forget()
  }
}

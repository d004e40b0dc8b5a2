import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Resolves to whether a browser could be started. The address is an argument, so that no shell reads it. */
export async function openBrowser(
  address: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const [command, ...args] = programFor(env)
  try {
    const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
    await once(child, 'spawn')
    child.unref()
    return true
  } catch {
    // There is no such program; the address is printed as well.
    return false
  }
}

function programFor(env: Readonly<Record<string, string | undefined>>): [string, ...string[]] {
  const own = env['BROWSER']
  if (own) return [own]
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}

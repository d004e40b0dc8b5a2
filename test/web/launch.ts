import { type Browser, chromium } from 'playwright-core'

/** A Chromium of this machine or of a package. */
export interface Chromium {
  executablePath: string
  /** Where the libraries and fonts of a packaged Chromium are. */
  environment: Record<string, string>
}

const FLAGS = [
  '--headless=new',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  // Pages reach the service under test and nothing else.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
]

const LAUNCH_MS = 60_000

/** Launches a browser with a profile of its own. */
export function launchChromium({ executablePath, environment }: Chromium): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: FLAGS,
    // Chromium refuses its sandbox to root, and containers lack what it needs.
    chromiumSandbox: false,
    env: { ...definedVariables(), ...environment },
    timeout: LAUNCH_MS,
  })
}

function definedVariables(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

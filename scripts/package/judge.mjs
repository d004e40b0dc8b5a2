import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** Ways to resolve a package that only has modules leave these out, as the profile `esm-only` of attw does. */
const WITHOUT_MODULES = new Set(['node10', 'node16-cjs'])

/**
 * What publint and are-the-types-wrong say against a packed package, a line each; empty when both are content. Neither
 * needs the network.
 */
export async function judgePackage(tarball) {
  const bytes = new Uint8Array(readFileSync(tarball))
  return [...(await lint(bytes)), ...(await judgeTypes(bytes))]
}

async function lint(bytes) {
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true })
  return messages.map((message) => `publint: ${message.type}: ${formatMessage(message, pkg, { color: false })}`)
}

async function judgeTypes(bytes) {
  const { types, problems = [] } = await checkPackage(createPackageFromTarballData(bytes))
  if (types === false) return ['are-the-types-wrong: the package has no types']
  return problems
    .filter(({ resolutionKind }) => !WITHOUT_MODULES.has(resolutionKind))
    .map(({ kind, ...where }) => `are-the-types-wrong: ${kind}: ${JSON.stringify(where)}`)
}

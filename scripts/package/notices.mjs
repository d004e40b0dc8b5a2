import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shippedPackages } from './shipped.mjs'

const LICENCE = /^(licen[cs]e|notice|copying|copyright|package\.json$)/i
const LINE = '-'.repeat(80)

/** In one text, what licences and notices the packages have whose code is in ours. */
export function thirdPartyNotices() {
  const parts = [...shippedPackages()].map(
    ([name, folder]) => `${LINE}\n${name}\n${LINE}\n\n${wordsOf(folder).join('\n\n')}\n`,
  )
  const head = 'Earshot contains code of these packages. Packages for one system bring their own licences.'
  return `${head}\n\n${parts.join('\n')}`
}

/** Without a file of its own, a package names its licence in package.json. */
function wordsOf(folder) {
  const files = readdirSync(folder).filter((file) => LICENCE.test(file))
  const licences = files.filter((file) => file !== 'package.json').sort()
  if (licences.length > 0) return licences.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const { author, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return [`${author?.name ?? author ?? ''} ${license}`.trim()]
}

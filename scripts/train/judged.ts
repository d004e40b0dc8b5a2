import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { decodeModel, MODEL_ADDRESS, type Model } from '../../src/classify/offline/model/model-file.ts'

/**
 * The models of the last training that have each not seen a tenth of the rows; they stay on this machine, and give the
 * figures.
 */
export const JUDGED_FOLDER = new URL('../../models/judged/', import.meta.url)
/** Where a training puts its models until all of them are made. */
export const NEXT_FOLDER = new URL('../../models/judged.next/', import.meta.url)
/** The checksum of the shipped model that was made together with them. */
const SHIPPED = 'shipped.sha256'

/** The file of the model that has not seen this tenth; for null, of the one that has seen all rows. */
export function addressIn(folder: URL, tenth: number | null): URL {
  return new URL(`${tenth ?? 'all'}.bin`, folder)
}

/** @throws Error when it was not made yet */
export function modelIn(folder: URL, tenth: number | null): Model {
  const address = addressIn(folder, tenth)
  if (!existsSync(address)) throw new Error(`${MISSING}: ${address.pathname} is not there`)
  return decodeModel(readFileSync(address))
}

/**
 * Puts what a training has made in the place of what there was. An interrupted training changes nothing until then;
 * models that do not belong together are noticed (`checkJudged`).
 */
export function replaceModels(): void {
  const shipped = addressIn(NEXT_FOLDER, null)
  writeFileSync(new URL(SHIPPED, NEXT_FOLDER), checksumOf(shipped))
  rmSync(JUDGED_FOLDER, { recursive: true, force: true })
  renameSync(shipped, MODEL_ADDRESS)
  renameSync(NEXT_FOLDER, JUDGED_FOLDER)
}

/** @throws Error when there are no models to judge, or they are of another training than the shipped one */
export function checkJudged(): void {
  const tag = new URL(SHIPPED, JUDGED_FOLDER)
  if (!existsSync(tag)) throw new Error(MISSING)
  if (readFileSync(tag, 'utf8') !== checksumOf(MODEL_ADDRESS))
    throw new Error(
      'the models to judge are of another training than the one that is shipped: `npm run train` makes both',
    )
}

/**
 * The models of the training that the shipped one comes from, in the order of the tenths that they have not seen; as
 * they are judged, with sureness from another tenth than the one that they are judged on.
 *
 * @throws Error when there are none, or they are of another training
 */
export function judgedForShipped(): Model[] {
  checkJudged()
  const count = readdirSync(JUDGED_FOLDER).filter((name) => name.endsWith('.bin')).length
  return surenessTurned(Array.from({ length: count }, (_, tenth) => modelIn(JUDGED_FOLDER, tenth)))
}

/**
 * Each model with the temperature and the sureness of the next, which found them on its own tenth: no model is judged
 * on rows that set its own.
 */
export function surenessTurned(models: readonly Model[]): Model[] {
  return models.map((model, at) => {
    const { numbers } = models[(at + 1) % models.length]!
    const found = Object.entries(numbers).filter(([name]) => CALIBRATION.has(name))
    return { ...model, numbers: { ...model.numbers, ...Object.fromEntries(found) } }
  })
}

function checksumOf(file: URL): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

const MISSING = 'there are no models to judge yet, `npm run train` makes them'
/** What the stage of sentiment finds on the rows that are kept for validation. */
const CALIBRATION: ReadonlySet<string> = new Set(['sentiment.temperature', 'sentiment.sureness'])

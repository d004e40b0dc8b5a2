/**
 * Trains the offline classifier from the labelled sets beside the repository, twice: without a tenth of the rows, on which
 * `npm run eval` then judges it (`models/judged.bin`), and from all of them, which is shipped (`models/offline-1.bin`). The
 * same data gives the same files. With `--only NAME` it learns one part anew and keeps the others as they stand in the files.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { decodeModel, encodeModel, MODEL_ADDRESS, type Parts } from '../src/classify/offline/model-file.ts'
import { DATA_FOLDER, WHOLE } from './train/data.ts'
import { gatherExamples } from './train/examples.ts'
import { intentsStage } from './train/intents.ts'
import { JUDGED_ADDRESS, judgedModel } from './train/judged.ts'
import { languageStage } from './train/language.ts'
import { relevanceStage, vectorsFor } from './train/relevance-stage.ts'
import { sentimentStage } from './train/sentiment.ts'
import type { Material, Stage } from './train/stage.ts'

/** The date that the model file and its card carry; set by hand so that the same data gives the same bytes. */
const TRAINED_AT = '2026-11-22'
const STAGES: readonly Stage[] = [sentimentStage, intentsStage, relevanceStage, languageStage]

if (!existsSync(DATA_FOLDER)) {
  console.error(`The labelled sets are not there: ${fileURLToPath(DATA_FOLDER)}`)
  process.exit(1)
}
const whole = process.argv.includes(WHOLE)
learn(chosenStages(), whole ? MODEL_ADDRESS : JUDGED_ADDRESS)
// What is kept is chosen when a process begins, so that the second round has one of its own.
if (!whole) execFileSync(process.execPath, [...process.execArgv, ...process.argv.slice(1), WHOLE], { stdio: 'inherit' })

function chosenStages(): readonly Stage[] {
  const at = process.argv.indexOf('--only')
  if (at < 0) return STAGES
  const chosen = STAGES.filter(({ name }) => name === process.argv[at + 1])
  if (chosen.length === 0) throw new Error(`--only knows these parts: ${STAGES.map(({ name }) => name).join(', ')}`)
  return chosen
}

function learn(stages: readonly Stage[], address: URL): void {
  const material = gatherMaterial()
  console.log(`${material.training.length} texts to learn from, ${material.validation.length} kept for validation`)
  const parts = stages.map((stage) => ownParts(stage, stage.learn(material)))
  const kept = stages.length < STAGES.length ? [without(stages, whole ? decodeModel(readFileSync(MODEL_ADDRESS)) : judgedModel())] : []
  const bytes = encodeModel({ trainedAt: TRAINED_AT, ...joined([...kept, ...parts]) })
  decodeModel(bytes)
  writeFileSync(address, bytes)
  console.log(`${fileURLToPath(address)}: ${bytes.length} bytes`)
}

function gatherMaterial(): Material {
  const { training, validation } = gatherExamples()
  return { training, validation, judged: whole ? judgedModel() : null, vectors: vectorsFor(training) }
}

function ownParts(stage: Stage, parts: Parts): Parts {
  const names = [parts.heads, parts.sections, parts.numbers].flatMap((kind) => Object.keys(kind))
  const strange = names.filter((name) => !belongsTo(stage, name))
  if (strange.length > 0) throw new Error(`the stage ${stage.name} made parts that are not called after it: ${strange.join(', ')}`)
  return parts
}

function without(stages: readonly Stage[], { heads, sections, numbers }: Parts): Parts {
  const others = <Part>(parts: Readonly<Record<string, Part>>): Record<string, Part> =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => !stages.some((stage) => belongsTo(stage, name))))
  return { heads: others(heads), sections: others(sections), numbers: others(numbers) }
}

/** In the order of the names, so that the file does not depend on which stage was learned last. */
function joined(all: readonly Parts[]): Parts {
  const sorted = <Part>(kind: (parts: Parts) => Readonly<Record<string, Part>>): Record<string, Part> =>
    Object.fromEntries(all.flatMap((parts) => Object.entries(kind(parts))).sort(([one], [other]) => (one < other ? -1 : 1)))
  return { heads: sorted((parts) => parts.heads), sections: sorted((parts) => parts.sections), numbers: sorted((parts) => parts.numbers) }
}

function belongsTo(stage: Stage, name: string): boolean {
  return name === stage.name || name.startsWith(`${stage.name}.`)
}

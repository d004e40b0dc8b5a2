import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { decodeModel, encodeModel, MODEL_ADDRESS, type Parts } from '../../src/classify/offline/model/model-file.ts'
import { gatherExamples } from './examples.ts'
import { intentsStage } from './intents.ts'
import { addressIn, JUDGED_FOLDER, modelIn, NEXT_FOLDER } from './judged.ts'
import { languageStage } from './language.ts'
import { mentionStage } from './mention.ts'
import { relevanceStage, vectorsFor } from './relevance-stage.ts'
import { sentimentStage } from './sentiment.ts'
import type { Material, Stage } from './stage.ts'

/** The date that the model file and its card carry; set by hand so that the same data gives the same bytes. */
const TRAINED_AT = '2026-11-27'
const STAGES: readonly Stage[] = [sentimentStage, intentsStage, relevanceStage, languageStage, mentionStage]
/** The tenth on which the temperature and the sureness of the shipped model are found. */
export const CALIBRATING = 0

/** All stages, or the one of that name and what follows it. @throws Error when there is none */
export function stagesCalled(only: string | undefined): readonly Stage[] {
  const chosen = STAGES.filter(({ name, follows }) => only === undefined || name === only || follows?.includes(only))
  if (chosen.length === 0) throw new Error(`--only knows these parts: ${STAGES.map(({ name }) => name).join(', ')}`)
  return chosen
}

/**
 * Learns from the rows that this process does not keep apart: all of them where `tenth` is null. The parts of other
 * stages stay as they were.
 */
export function learnRound(stages: readonly Stage[], tenth: number | null): void {
  const material = gatherMaterial(tenth)
  const parts: Parts[] =
    stages.length < STAGES.length
      ? [without(stages, tenth === null ? decodeModel(readFileSync(MODEL_ADDRESS)) : modelIn(JUDGED_FOLDER, tenth))]
      : []
  for (const stage of stages) parts.push(ownParts(stage, stage.learn(material, joined(parts))))
  const bytes = encodeModel({ trainedAt: TRAINED_AT, ...joined(parts) })
  decodeModel(bytes)
  const address = addressIn(NEXT_FOLDER, tenth)
  writeFileSync(address, bytes)
  console.log(
    `${fileURLToPath(address)}: ${material.training.length} texts learned, ${material.validation.length} kept ` +
      `for validation, ${bytes.length} bytes`,
  )
}

function gatherMaterial(tenth: number | null): Material {
  const { training, validation } = gatherExamples()
  return {
    training,
    validation,
    judged:
      tenth === null && existsSync(addressIn(NEXT_FOLDER, CALIBRATING)) ? modelIn(NEXT_FOLDER, CALIBRATING) : null,
    vectors: vectorsFor(training),
  }
}

function ownParts(stage: Stage, parts: Parts): Parts {
  const names = [parts.heads, parts.sections, parts.numbers].flatMap((kind) => Object.keys(kind))
  const strange = names.filter((name) => !belongsTo(stage, name))
  if (strange.length > 0)
    throw new Error(`the stage ${stage.name} made parts that are not called after it: ${strange.join(', ')}`)
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
    Object.fromEntries(
      all.flatMap((parts) => Object.entries(kind(parts))).sort(([first], [second]) => (first < second ? -1 : 1)),
    )
  return {
    heads: sorted((parts) => parts.heads),
    sections: sorted((parts) => parts.sections),
    numbers: sorted((parts) => parts.numbers),
  }
}

function belongsTo(stage: Stage, name: string): boolean {
  return name === stage.name || name.startsWith(`${stage.name}.`)
}

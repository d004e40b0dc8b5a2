import type { WordVectors } from '../../src/classify/offline/model/directions.ts'
import type { Parts } from '../../src/classify/offline/model/model-file.ts'
import type { Example } from './examples.ts'

/**
 * What every stage may learn from. A stage may read further sets of its own, within the licences in models/README.md.
 */
export interface Material {
  /** The texts to learn from. */
  training: readonly Example[]
  /**
   * One text in ten, which no weight may see; the temperature and the sureness of sentiment may. None where all texts
   * are learned from.
   */
  validation: readonly Example[]
  /** What was learned without a validation, whose temperature and sureness hold where there is none; else null. */
  judged: Parts | null
  /** Where words point, as the stage of relevance ships it. */
  vectors: WordVectors
}

/** One part of the classifier that is learned by itself. The same material gives the same parts. */
export interface Stage {
  /** What `--only` calls it. Its parts are called the same, or begin with it and a dot. */
  name: string
  /** The stages whose parts this stage reads: they are learned before it, and never without it. */
  follows?: readonly string[]
  /**
   * `before` holds what the stages before this one have learned, and in a training of one part also what it leaves as
   * it was.
   */
  learn(material: Material, before: Parts): Parts
}

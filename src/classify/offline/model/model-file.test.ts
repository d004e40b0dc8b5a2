import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { WEIGHED } from '../sentiment/sentiment-parts.ts'
import {
  decodeModel,
  encodeModel,
  headOf,
  MODEL_ADDRESS,
  type Model,
  modelOver,
  sectionOf,
  unpackModel,
} from './model-file.ts'

describe('the model file', () => {
  test('is at most 3 MB', async () => {
    expect((await readFile(MODEL_ADDRESS)).length).toBeLessThanOrEqual(3_000_000)
  })

  test('is the same after writing and reading', () => {
    const head = {
      labels: ['a', 'b'],
      bits: 8,
      scale: [0.5, 2],
      bias: [-1, 1],
      weights: Int8Array.from({ length: 512 }, (_, at) => (at % 255) - 127),
    }
    const model: Model = {
      trainedAt: 'today',
      heads: { one: head },
      sections: { two: Uint8Array.of(1, 2, 255) },
      numbers: { three: [0.1, -3] },
    }
    expect(decodeModel(encodeModel(model))).toEqual(model)
    expect(encodeModel(decodeModel(encodeModel(model)))).toEqual(encodeModel(model))
  })

  test('is refused when it is something else, of another version, cut short or damaged', async () => {
    const bytes = await readFile(MODEL_ADDRESS)
    expect(() => decodeModel(Buffer.from('<html>'))).toThrow('not a model file')
    for (const place of [bytes.length - 1000, Math.floor(bytes.length / 2)]) {
      const damaged = Buffer.from(bytes)
      damaged[place]! ^= 1
      expect(() => decodeModel(damaged)).toThrow('damaged')
    }
    expect(() => decodeModel(bytes.subarray(0, bytes.length - 10))).toThrow('damaged')
    const other = Buffer.from(bytes.toString('latin1').replace('"format":2', '"format":9'), 'latin1')
    expect(() => decodeModel(other)).toThrow('does not fit this version')
  })

  test('never unfolds to more than its header says, however small the file', async () => {
    const small = encodeModel({
      trainedAt: 'never',
      heads: {},
      sections: { zeros: new Uint8Array(3_000_000) },
      numbers: {},
    })
    expect(small.length).toBeLessThan(10_000)
    const lying = Buffer.from(small.toString('latin1').replaceAll('3000000', '0000001'), 'latin1')
    expect(() => decodeModel(lying)).toThrow()
    const short = Buffer.from(small.toString('latin1').replaceAll('"length":3000000', '"length":1000000'), 'latin1')
    expect(() => decodeModel(short)).toThrow('cannot be unpacked')
  })

  test('can be read by another thread from memory that both share', async () => {
    const { header, body } = unpackModel(await readFile(MODEL_ADDRESS))
    const other = modelOver(structuredClone(header), body)
    expect(headOf(other, 'sentiment', WEIGHED).weights.buffer).toBe(body)
    expect(() => headOf(other, 'constructor', WEIGHED)).toThrow('no part called constructor')
    expect(() => sectionOf(other, 'nothing')).toThrow('no part called nothing')
  })

  test('is not read where a head tells other labels apart, or the same in another order', async () => {
    const model = decodeModel(await readFile(MODEL_ADDRESS))
    for (const labels of [['negative', 'positive'], ['positive'], ['positive', 'negative', 'neutral']])
      expect(() => headOf(model, 'sentiment', labels)).toThrow(
        'learned for other labels: its part sentiment tells positive, negative apart',
      )
  })
})

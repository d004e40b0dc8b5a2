import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { decodeModel, encodeModel, loadModel, MODEL_ADDRESS } from './model-file.ts'

describe('the model file', () => {
  it('is at most 3 MB', async () => {
    expect((await readFile(MODEL_ADDRESS)).length).toBeLessThanOrEqual(3_000_000)
  })

  it('is the same after reading and writing', async () => {
    const bytes = await readFile(MODEL_ADDRESS)
    expect(encodeModel(decodeModel(bytes)).equals(bytes)).toBe(true)
    expect((await loadModel()).sentiment.labels).toEqual(['positive', 'neutral', 'negative'])
  })

  it('is refused when it is something else, of another version, cut short or damaged', async () => {
    const bytes = await readFile(MODEL_ADDRESS)
    expect(() => decodeModel(Buffer.from('<html>'))).toThrow('not a model file')
    const damaged = Buffer.from(bytes)
    damaged[damaged.length - 1]! ^= 1
    expect(() => decodeModel(damaged)).toThrow('checksum')
    expect(() => decodeModel(bytes.subarray(0, bytes.length - 10))).toThrow('checksum')
    const other = Buffer.from(bytes.toString('latin1').replace('"format":1', '"format":9'), 'latin1')
    expect(() => decodeModel(other)).toThrow('does not fit this version')
  })
})

import type { Setup } from '../setup.ts'
import { googleplay } from './source.ts'

export const setup: Setup = () => googleplay()

import type { Setup } from '../setup.ts'
import { hackernews } from './source.ts'

export const setup: Setup = () => hackernews()

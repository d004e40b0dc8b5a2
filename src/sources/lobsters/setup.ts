import type { Setup } from '../setup.ts'
import { lobsters } from './source.ts'

export const setup: Setup = () => lobsters()

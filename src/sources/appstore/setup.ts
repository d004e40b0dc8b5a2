import type { Setup } from '../setup.ts'
import { appstore } from './source.ts'

export const setup: Setup = () => appstore()

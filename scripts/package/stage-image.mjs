import { resolve } from 'node:path'
import { prepareTools, prepareToRun } from '../setup/prepare.mjs'
import { stageTree } from './tree.mjs'

/** Builds from clean sources and stages what the image holds: `node scripts/package/stage-image.mjs FOLDER`. */
await prepareTools()
await prepareToRun()
await stageTree(resolve(process.argv[2]))

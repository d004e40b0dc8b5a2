import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const FOLDERS = ['src', 'test', 'bench', 'scripts', 'web/src']
/** TEST_EXCLUDE names more, apart by spaces: what the command line leaves out does not reach projects. */
const EXCLUDED = [
  '**/node_modules/**',
  'test/arrows-fixture/**',
  ...(process.env['TEST_EXCLUDE'] ?? '').split(' ').filter((path) => path !== ''),
]

/** Files that put something in the place of a module, which would stay there for the files after them. */
const REPLACING = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
)
  .filter((path) => path.endsWith('.test.ts') && /\bvi\.(do)?mock\(/i.test(readFileSync(path, 'utf8')))
  .map((path) => path.replaceAll('\\', '/'))

/** Files that take minutes. One that begins last holds up the end of the whole run. */
const LONG = [
  'test/simulation-deliveries/',
  'test/simulation/',
  'test/crash/',
  'test/linear.test.ts',
  'src/matching/properties.test.ts',
]

/** Begins with the files that take long; vitest itself goes by their size. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((path) => moduleId.includes(`/${path}`))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const SHARED = {
  pool: 'forks',
  // Generous, because a limit is there to end what hangs and not to judge a busy machine.
  testTimeout: 60_000,
  hookTimeout: 120_000,
} as const

export default defineConfig({
  test: {
    globalSetup: ['test/database-setup.ts', 'test/web/setup.ts'],
    // One more than the processors of a small machine, because some tests wait for processes that they start; with more
    // they would only take turns, and each may hold many connections.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          ...SHARED,
          name: 'together',
          include: FOLDERS.map((folder) => `${folder}/**/*.test.ts`),
          exclude: [...EXCLUDED, ...REPLACING],
          // A process runs many files: loading the modules took longer than most tests.
          isolate: false,
          setupFiles: ['test/new-file.ts'],
        },
      },
      { test: { ...SHARED, name: 'apart', include: REPLACING, exclude: EXCLUDED } },
    ],
  },
})

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/arrows-fixture/**'],
    globalSetup: ['test/database-setup.ts'],
    pool: 'forks',
    // More would only take turns on a small machine, and each may hold many connections.
    maxWorkers: 2,
    // Generous, because a limit is there to end what hangs and not to judge a busy machine.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})

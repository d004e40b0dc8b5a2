import { vi } from 'vitest'

// Runs before each file of tests. Modules of ours keep things for the life of a process, as ids and clocks do, and a
// file must not meet what another left behind; packages stay loaded.
vi.resetModules()

import { MemoryLog } from './memory-log.suite.ts'
import { testMessageLog } from './message-log.suite.ts'

testMessageLog('logs in memory', { open: async (keptMb) => new MemoryLog(keptMb * 1024 * 1024) })

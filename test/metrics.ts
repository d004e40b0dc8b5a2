/** Everything that a process counts, as the service makes it. */
export { createMetrics, type Metrics } from '../src/main/metrics.ts'

// breaks: no-tools-at-run-time
export { assert } from 'fast-check'

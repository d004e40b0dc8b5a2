#!/usr/bin/env node
// Read by any Node back to 12, so that an old one ends with a sentence and not with a syntax error.
var required = [20, 19]
var version = process.versions.node.split('.').map(Number)

if (version[0] < required[0] || (version[0] === required[0] && version[1] < required[1])) {
  console.error(`Earshot needs Node.js ${required.join('.')} or newer; this is ${process.versions.node}.`)
  process.exitCode = 1
} else {
  import('../scripts/setup/heap.mjs')
    .then((heap) => heap.boundHeap())
    .then(() => import('../scripts/setup/prepare.mjs'))
    .then((setup) => setup.prepareToRun())
    .then(() => import('../dist/main/cli.js'))
    .catch((error) => {
      console.error(error.name === 'SetupError' ? error.message : error)
      process.exitCode = 1
    })
}

const LOOK_MS = 1000

/**
 * Under `npm start` a shell stands between npm and us. A SIGTERM for npm ends the shell, which does not pass it on, and
 * we would go on running with nobody to stop us. So the loss of that parent counts as SIGTERM, unless a signal has come
 * already: Ctrl-C ends all three, and who asks twice is taken to be in a hurry.
 *
 * @param {number} parent the parent when this process began
 */
export function endWithParent(parent) {
  if (process.env.npm_lifecycle_event !== 'start' || process.platform === 'win32') return
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  look()
  // Listening before the service does would keep Ctrl-C from ending it in that moment.
  process.on('newListener', function alsoListen(event) {
    if (event !== 'SIGINT' && event !== 'SIGTERM') return
    process.off('newListener', alsoListen)
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => clearInterval(timer))
  })

  function look() {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }
}

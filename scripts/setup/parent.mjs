const LOOK_MS = 1000

/**
 * Under `npm start` a shell stands between npm and us. A SIGTERM for npm ends the shell, which does not pass it on, and
 * we would go on running with nobody to stop us. So the loss of that parent counts as SIGTERM.
 */
export function endWithParent() {
  if (process.env.npm_lifecycle_event !== 'start' || process.platform === 'win32') return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, LOOK_MS)
  timer.unref()
}

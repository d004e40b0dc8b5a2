// breaks: one-clock
export const hour = () => Date.now() / 3600000

export const words = {
  unreachable: 'The server cannot be reached.',
  answeredWith: (status: number) => `The server answered with status ${status}.`,
}

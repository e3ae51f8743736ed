/** Whether this host, as `URL` spells it, is the machine itself. */
export const isLoopback = (hostname: string) =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)

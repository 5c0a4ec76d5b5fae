import { type CommandSpec, JSON_OPTION } from '../command-spec.ts'

/** In the sandbox this port of this machine is open for webhooks. */
export const RECEIVER_PORT = 8490

export const WEBHOOKS = {
  name: 'webhooks',
  group: 'watch',
  help: 'show the webhook endpoints of all accounts, or receive events on this machine',
  actions: {
    '': { help: 'list the endpoints with what waits for them', options: JSON_OPTION },
    receive: {
      help: 'print the events that come in, and whether their signature is right',
      options: {
        secret: { kind: 'text', value: 'SECRET', required: true, help: 'secret of the endpoint, whsec_...' },
        port: {
          kind: 'integer',
          default: RECEIVER_PORT,
          least: 1,
          most: 65_535,
          help: 'port at 127.0.0.1; the default is open in the sandbox',
        },
      },
    },
  },
} as const satisfies CommandSpec

import type { Route } from './route.ts'

/** One error of the API or the gateway. The catalogue changes only by additions. */
export interface CataloguedError {
  /** As it is sent; `<name>` stands for what differs from call to call. */
  message: string
  /** What happened, as a sentence without its full stop. */
  meaning: string
  /** Only the pay-per-request gateway sends it. */
  isGateway?: true
}

export interface ErrorStatus {
  status: number
  /** Name of the response in OpenAPI. */
  name: string
  /** Description of the response in OpenAPI. */
  description: string
  /** Whether and when to send the call again. */
  retry: string
  /** The routes whose description in OpenAPI has the status; null: none has it. */
  of: ((route: Route) => boolean) | null
  errors: readonly CataloguedError[]
}

const any = () => true
const keyed = (route: Route) => !route.public
const writes = (route: Route) => route.method !== 'GET'
const hasInput = ({ pathParams, query, requestBody, headers }: Route) =>
  [pathParams, query, requestBody, headers].some((schema) => schema !== undefined)

const notFound = (message: string, meaning = 'It does not exist or is not yours; both look the same') => ({
  message,
  meaning,
})

/** All errors by status: the reference, OpenAPI and docs/consumer.md have them from here. */
export const ERROR_STATUSES: readonly ErrorStatus[] = [
  {
    status: 400,
    name: 'BadRequest',
    description: 'Invalid parameter: <name>. <Reason>',
    retry: 'No: change the call',
    of: any,
    errors: [
      {
        message: 'Invalid parameter: <name>. <Reason>',
        meaning:
          'The named parameter is wrong, is missing or came twice, or a body has an unknown field. Match the words up to the name; the reason is for people',
      },
      { message: 'Invalid query string', meaning: 'It is not percent-encoded UTF-8' },
      { message: 'Invalid JSON body', meaning: 'It is not JSON, repeats a key or is nested too deep' },
      { message: 'Bad Request', meaning: 'A body where none belongs, or broken HTTP' },
      {
        message: 'Wallets are named in both query and body',
        meaning: 'Only one of them may name wallets, or both must name the same',
      },
      {
        message: 'Network not available: <network>',
        meaning:
          'This installation does not read the network; GET /wallet/blockchains lists those that it reads',
      },
      {
        message: 'Your plan allows <number> <things>. Remove some, or change the plan',
        meaning: 'Webhook endpoints, watched wallets or alerts are limited by the plan',
      },
      { message: 'Invalid Idempotency-Key', meaning: 'It must be 1 to 255 visible ASCII characters' },
      {
        message: 'Idempotency-Key was used with other parameters',
        meaning: 'A key belongs to one call: use another one',
      },
      { message: 'shareToken is required', meaning: 'Name a portfolio, or send the token of a shared one' },
      { message: 'Invalid payment', meaning: 'The payment header cannot be read', isGateway: true },
    ],
  },
  {
    status: 401,
    name: 'Unauthorized',
    description: 'Missing, wrong, revoked or expired API key or bearer token',
    retry: 'No: send a valid key',
    of: keyed,
    errors: [
      {
        message: 'Invalid API key',
        meaning: 'The key is missing, wrong, revoked or expired, or you sent two that differ',
      },
    ],
  },
  {
    status: 402,
    name: 'PaymentRequired',
    description: 'Payment missing or not accepted',
    retry: 'With a payment',
    of: null,
    errors: [
      {
        message: 'Payment required',
        meaning: 'The field `error` has the reason, and `accepts` what to pay',
        isGateway: true,
      },
    ],
  },
  {
    status: 403,
    name: 'Forbidden',
    description:
      'Not in the plan, not allowed for this key or bearer token, or not allowed with this share token and passcode',
    retry: 'No',
    of: keyed,
    errors: [
      { message: 'Forbidden resource', meaning: 'Your plan or key does not include this call' },
      {
        message: 'Passcode required for this portfolio',
        meaning: 'The passcode is missing, wrong or locked after wrong ones',
      },
      { message: 'Shared portfolio not found', meaning: 'The owner no longer shares it' },
      {
        message: 'You are not allowed to add transactions to this portfolio',
        meaning: 'It is shared with you, or is not a manual portfolio',
      },
    ],
  },
  {
    status: 404,
    name: 'NotFound',
    description: 'Not found',
    retry: 'No',
    of: hasInput,
    errors: [
      notFound('Not Found', 'There is no such path'),
      notFound('Invalid parameter: <name>. <Reason>', 'The path holds what no id can be'),
      notFound(`Coin with id '<id>' not found`, 'GET /coins lists coins with their ids'),
      notFound(`Exchange with id '<id>' not found`, 'GET /exchange/support lists exchanges with their ids'),
      notFound(`Portfolio with id '<id>' not found`),
      notFound(`Transaction with id '<id>' not found`),
      notFound(`Alert with id '<id>' not found`),
      notFound(`Webhook with id '<id>' not found`),
      notFound(`NFT collection '<address>' not found`, 'No source of this installation has it'),
      notFound(`NFT '<id>' of '<address>' not found`, 'No source of this installation has it'),
      notFound(`No price of coin '<id>' at this time`, 'No price is stored so near to the instant'),
      notFound('No price of this pair at this time', 'No price is stored so near to the instant'),
      notFound(
        'Connection not found: the code is unknown, expired or redeemed',
        'A code of a connect kit can be redeemed once, within 10 minutes',
      ),
      notFound('News not found', 'The article does not exist'),
      notFound('Exchange not found', 'No exchange has this name or id'),
      notFound('Shared portfolio not found', 'The token is wrong'),
      notFound('Market not found', 'No market has this slug'),
      notFound('Event not found', 'No event has this slug'),
      notFound('Trader not found', 'No trade of this address is known'),
    ],
  },
  {
    status: 405,
    name: 'MethodNotAllowed',
    description: 'The path does not have the method',
    retry: 'No: the header Allow lists the methods of the path',
    of: null,
    errors: [{ message: 'Method Not Allowed', meaning: 'The path does not have the method' }],
  },
  {
    status: 408,
    name: 'RequestTimeout',
    description: 'The request arrived too slowly',
    retry: 'Yes',
    of: null,
    errors: [{ message: 'Request Timeout', meaning: 'The request arrived too slowly' }],
  },
  {
    status: 409,
    name: 'Conflict',
    description: 'Transactions not synced',
    retry: 'When the sync has ended: GET /wallet/status or GET /exchange/status says so',
    of: ({ needsSync }) => needsSync === true,
    errors: [
      {
        message: 'Transactions not synced',
        meaning: 'The history of the wallet or exchange account is not complete',
      },
      {
        message: 'Payment is being processed',
        meaning: 'Another call has presented the same payment: send it again after `Retry-After` seconds',
        isGateway: true,
      },
    ],
  },
  {
    status: 410,
    name: 'Gone',
    description: 'Events after that number are no longer kept',
    retry: 'No: begin with the number in `X-Oldest-Event`',
    of: ({ tag, method }) => tag === 'Events' && method === 'GET',
    errors: [
      {
        message: 'Events before number <oldest> are no longer kept',
        meaning: 'You were away for longer than your plan keeps events',
      },
    ],
  },
  {
    status: 413,
    name: 'PayloadTooLarge',
    description: 'The body is larger than 1 MB',
    retry: 'No',
    of: writes,
    errors: [{ message: 'Payload Too Large', meaning: 'The body is larger than 1 MB' }],
  },
  {
    status: 415,
    name: 'UnsupportedMediaType',
    description: 'The body is not UTF-8 JSON',
    retry: 'No',
    of: writes,
    errors: [{ message: 'Unsupported Media Type', meaning: 'The body is not JSON in UTF-8' }],
  },
  {
    status: 429,
    name: 'TooManyRequests',
    description: 'Rate limit exceeded, Insufficient credits for this request, or Credits limit reached',
    retry: 'After `Retry-After` seconds; without that header after a top-up or `X-Credits-Reset` seconds',
    of: keyed,
    errors: [
      { message: 'Rate limit exceeded', meaning: 'More requests a second than the plan has' },
      {
        message: 'Too many wallets were read for the first time',
        meaning: 'Each first read of a wallet starts a sync, and only so many may start at once',
      },
      {
        message: 'Too many open streams: the plan has <n>',
        meaning: 'Send it again when one of them has ended',
      },
      {
        message: 'Insufficient credits for this request',
        meaning: 'What is left of the period is less than the price of the call',
      },
      { message: 'Credits limit reached', meaning: 'The credits of the period are spent' },
    ],
  },
  {
    status: 431,
    name: 'HeadersTooLarge',
    description: 'URL and headers are larger than 16 kB',
    retry: 'No',
    of: any,
    errors: [
      { message: 'Request Header Fields Too Large', meaning: 'URL and headers are larger than 16 kB' },
    ],
  },
  {
    status: 500,
    name: 'InternalError',
    description: 'Internal error',
    retry: 'Once; then tell the operator the `requestId`',
    of: any,
    errors: [{ message: 'Internal Server Error', meaning: 'A fault in the service' }],
  },
  {
    status: 503,
    name: 'Unavailable',
    description: 'Service unavailable',
    retry:
      'After `Retry-After` seconds, or with growing pauses without that header; a write only with an Idempotency-Key',
    of: any,
    errors: [
      {
        message: 'Service Unavailable. Please Contact Support',
        meaning:
          'The service cannot reach its database or is too busy, or the balances of a wallet are not stored yet. The body has only `statusCode` and `message`',
      },
    ],
  },
]

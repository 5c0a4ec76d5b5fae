import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type Provider from 'oidc-provider'
import { errors, type InteractionResults } from 'oidc-provider'
import type { Users } from '../../db/account/users.ts'
import { type Form, readForm } from '../parts/form.ts'
import { html, type Html } from '../parts/html.ts'
import { sendPage } from '../parts/send-page.ts'
import { clientNetwork } from './client-network.ts'

/** How a user proved who they are (RFC 8176): password, code, key of a wallet. */
export type Method = 'pwd' | 'otp' | 'swk'

/** One request of a sign-in that was begun in the browser that sends it. */
export interface SignInStep {
  form: Form
  /** Address of the sign-in's pages. */
  home: string
  /** Id of the sign-in. */
  uid: string
  /** What the provider waits for. */
  prompt: string
  /** Of the request to the provider. */
  params: Readonly<Record<string, unknown>>
  /** Who is signed in at the provider; null: nobody yet */
  subject: string | null
  /** What counts as one client. */
  network: string
  /** Whose first step was right, and which it was; null: nobody's yet. */
  passed: { subject: string; method: Method } | null
  show: (content: {
    title: string
    body: Html
    status?: number
    problem?: string
    script?: string
    /** Other origins to which a form leads; default: the account page */
    formTargets?: string[]
  }) => FastifyReply
  redirect: (path: string) => FastifyReply
  /** The first step was right. Asks for a code if the user has an app, else signs in. */
  pass: (subject: string, method: Method) => Promise<FastifyReply>
  /** Gives the provider what it waits for and leads back to it. */
  answer: (result: InteractionResults) => Promise<FastifyReply>
  /** Signs the user in and leads back to the provider. */
  finish: (subject: string, methods: readonly Method[]) => Promise<FastifyReply>
}

export const TOO_MANY = 'Too many wrong tries came from your network. Try again later.'

export type Interactions = ReturnType<typeof createInteractions>

/** Returns a function that makes route handlers for the pages of a sign-in. */
export function createInteractions(deps: {
  provider: Provider
  users: Users
  /** Address of the account page, to which a successful sign-in redirects. */
  accountUrl: string
  now: () => Date
}) {
  const { provider, users, accountUrl, now } = deps
  const accountOrigin = new URL(accountUrl).origin

  async function stepOf(request: FastifyRequest, reply: FastifyReply): Promise<SignInStep> {
    const interaction = await provider.interactionDetails(request.raw, reply.raw)
    const home = `/interaction/${interaction.uid}`

    async function answer(result: InteractionResults): Promise<FastifyReply> {
      const back = await provider.interactionResult(request.raw, reply.raw, result, {
        mergeWithLastSubmission: true,
      })
      return reply.redirect(back, 303)
    }

    async function finish(subject: string, methods: readonly Method[]): Promise<FastifyReply> {
      await users.noteSignIn(subject)
      return answer({ login: { accountId: subject, amr: [...methods] } })
    }

    return {
      form: readForm(request.method === 'POST' ? request.body : {}),
      home,
      uid: interaction.uid,
      prompt: interaction.prompt.name,
      params: interaction.params,
      subject: interaction.session?.accountId ?? null,
      network: clientNetwork(request.ip),
      passed: (interaction.result?.['passed'] as SignInStep['passed'] | undefined) ?? null,
      show: ({ body, problem, ...content }) =>
        sendPage(reply, {
          formTargets: [accountOrigin],
          ...content,
          body: html`${problem !== undefined && html`<p class="panel problem" role="alert">${problem}</p>`}
          ${body}`,
        }),
      redirect: (path) => reply.redirect(path, 303),
      answer,
      finish,
      async pass(subject, method) {
        if (!(await users.profile(subject))?.hasTotp) return finish(subject, [method])
        interaction.result = { passed: { subject, method } }
        await interaction.save(interaction.exp - Math.floor(now().getTime() / 1_000))
        return reply.redirect(`${home}/code`, 303)
      },
    }
  }

  return (handle: (step: SignInStep) => Promise<FastifyReply>): RouteHandlerMethod =>
    async (request, reply) => {
      try {
        return await handle(await stepOf(request, reply))
      } catch (error) {
        if (!(error instanceof errors.SessionNotFound)) throw error
        const body = html`<p class="panel problem">
            This sign-in has expired or was started in another browser.
          </p>
          <p><a href="${accountUrl}/account">Start again</a></p>`
        return sendPage(reply, { status: 400, title: 'Sign in', body })
      }
    }
}

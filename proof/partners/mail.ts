import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createMailServer } from '#test/mail-server.ts'

/** How a mail server behaves. One that `denies` has taken the mail and says that it has not. */
export const BAD_MAIL_MOODS = ['hangs', 'fails', 'hangs up', 'answers a page', 'denies'] as const
export type MailMood = 'works' | (typeof BAD_MAIL_MOODS)[number]

export type MoodyMailServer = {
  url: string
  /** By the id of each mail, how often it was taken. */
  taken: ReadonlyMap<string, number>
  mood: MailMood
  become(mood: MailMood): void
  stop(): Promise<void>
}

/** A real mail server with a connection in front of it that breaks as the mood is. */
export async function startMoodyMail(): Promise<MoodyMailServer> {
  const mail = createMailServer()
  await mail.start()
  const taken = new Map<string, number>()
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket.on('error', () => {}))
    socket.on('close', () => open.delete(socket))
    const { mood } = moody
    if (mood === 'hangs') return void socket.resume()
    if (mood === 'hangs up') return void socket.destroy()
    if (mood === 'answers a page') return void socket.end('HTTP/1.1 200 OK\r\n\r\n<h1>Maintenance</h1>\r\n')
    const behind = connect(mail.port, '127.0.0.1')
    open.add(behind.on('error', () => {}))
    behind.on('close', () => {
      open.delete(behind)
      socket.destroy()
    })
    socket.on('close', () => behind.destroy())
    socket.pipe(behind).pipe(socket)
  })
  mail.refuseMessage = ({ email }) => {
    if (moody.mood === 'fails') return { code: 451, text: 'Try again later' }
    const id = email.messageId ?? ''
    taken.set(id, (taken.get(id) ?? 0) + 1)
    return moody.mood === 'denies' ? { code: 451, text: 'Try again later' } : undefined
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const moody: MoodyMailServer = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    mood: 'works',
    become(mood) {
      moody.mood = mood
      for (const socket of open) socket.destroy()
    },
    async stop() {
      for (const socket of open) socket.destroy()
      server.close()
      await mail.stop()
    },
  }
  return moody
}

import type { Phrases } from './phrases.words.ts'

const many = (one: string, more: string) => (count: number, shown: string) => `${shown} ${count === 1 ? one : more}`

export const pt: Phrases = {
  region: 'PT',
  units: {
    hours: many('hora', 'horas'),
    days: many('dia', 'dias'),
    months: many('mês', 'meses'),
    pages: many('página', 'páginas'),
  },
  noEnd: 'Sem limite de tempo.',
  endsOn: (date) => `Até ${date}.`,
  afterAcquisition: (period) => `${period} a partir da compra.`,
  afterFirstUse: (period) => `${period} a partir da primeira utilização.`,
  noPlaying: 'Não pode ser reproduzido.',
  noDownloads: 'Sem transferências.',
  downloads: (count, shown) => `${many('transferência', 'transferências')(count, shown)}.`,
  downloadsAYear: (count, shown) => `${many('transferência', 'transferências')(count, shown)} por ano.`,
  devicesAtOnce: (count, shown) => `Em ${many('dispositivo', 'dispositivos')(count, shown)} ao mesmo tempo.`,
  devicesAYear: (count, shown) =>
    `Em ${many('dispositivo', 'dispositivos diferentes')(count, shown)}, no máximo, por ano.`,
  exports: (count, shown) => `${many('exportação', 'exportações')(count, shown)} sem proteção.`,
  exportsWithoutLimit: 'Pode ser exportado sem proteção.',
  exportsAYear: (count, shown) => `${many('exportação', 'exportações')(count, shown)} por ano.`,
  burns: (count, shown) => `Pode ser gravado ${count === 1 ? 'uma vez' : `${shown} vezes`}.`,
  burnsWithoutLimit: 'Pode ser gravado.',
  prints: (pages, shown) => `Pode ser impresso, ${many('página', 'páginas')(pages, shown)} de cada vez.`,
  printsWithoutLimit: 'Pode ser impresso.',
  noProtection: 'Sem proteção contra cópia.',
  refusals: {
    refunded: () => 'A compra foi reembolsada, por isso já não é sua.',
    cancelled: () => 'A encomenda foi cancelada.',
    withdrawn: () => 'A loja retirou-o. Contacte a loja.',
    ended_by_clock: () => 'Terminou porque o relógio de um dispositivo foi atrasado. Contacte a loja.',
    license_invalid: () => 'A licença já não é válida. Contacte a loja.',
    order_not_confirmed: () => 'A encomenda ainda não está confirmada. Ficará disponível assim que estiver.',
    not_released: ({ date }) => `Pode usá-lo a partir de ${date}.`,
    expired: ({ date }) => `O tempo para o usar terminou a ${date}.`,
    clock_set_back: () => 'O relógio do seu dispositivo está errado. Acerte-o e tente novamente.',
    play_not_allowed: () => 'Esta licença não permite a reprodução.',
    download_not_allowed: () => 'Esta licença não permite a transferência.',
    export_not_allowed: () => 'Esta licença não permite a exportação.',
    burn_not_allowed: () => 'Esta licença não permite a gravação.',
    print_not_allowed: () => 'Esta licença não permite a impressão.',
    too_many_pages: ({ pages }) => `Podem imprimir-se, no máximo, ${pages} de cada vez.`,
    device_required: () => 'Esta licença conta os dispositivos, por isso o leitor tem de indicar o dispositivo.',
    device_limit: () =>
      'Está a ser usado em tantos dispositivos quantos a licença permite. Pare-o primeiro noutro dispositivo.',
    annual_device_limit: () => 'Este ano foi usado em tantos dispositivos quantos a licença permite.',
    downloads_used_up: () => 'Todas as transferências foram usadas.',
    annual_downloads_used_up: ({ date }) =>
      `Todas as transferências deste ano foram usadas. Há novas a partir de ${date}.`,
    exports_used_up: () => 'Todas as exportações foram usadas.',
    annual_exports_used_up: ({ date }) => `Todas as exportações deste ano foram usadas. Há novas a partir de ${date}.`,
    burns_used_up: () => 'Foi gravado tantas vezes quantas a licença permite.',
  },
}

import type { Phrases } from './phrases.words.ts'

const many = (one: string, more: string) => (count: number, shown: string) => `${shown} ${count === 1 ? one : more}`

export const it: Phrases = {
  region: 'IT',
  units: {
    hours: many('ora', 'ore'),
    days: many('giorno', 'giorni'),
    months: many('mese', 'mesi'),
    pages: many('pagina', 'pagine'),
  },
  noEnd: 'Senza limiti di tempo.',
  endsOn: (date) => `Fino al ${date}.`,
  afterAcquisition: (period) => `${period} dall’acquisto.`,
  afterFirstUse: (period) => `${period} dal primo utilizzo.`,
  noPlaying: 'Non può essere riprodotto.',
  noDownloads: 'Nessun download.',
  downloads: (_count, shown) => `${shown} download.`,
  downloadsAYear: (_count, shown) => `${shown} download all’anno.`,
  devicesAtOnce: (count, shown) => `Su ${many('dispositivo', 'dispositivi')(count, shown)} alla volta.`,
  devicesAYear: (count, shown) => `Su ${many('dispositivo', 'dispositivi diversi')(count, shown)} al massimo all’anno.`,
  exports: (count, shown) => `${many('esportazione', 'esportazioni')(count, shown)} senza protezione.`,
  exportsWithoutLimit: 'Può essere esportato senza protezione.',
  exportsAYear: (count, shown) => `${many('esportazione', 'esportazioni')(count, shown)} all’anno.`,
  burns: (count, shown) => `Può essere masterizzato ${count === 1 ? 'una volta' : `${shown} volte`}.`,
  burnsWithoutLimit: 'Può essere masterizzato.',
  prints: (pages, shown) => `Può essere stampato, ${many('pagina', 'pagine')(pages, shown)} alla volta.`,
  printsWithoutLimit: 'Può essere stampato.',
  noProtection: 'Senza protezione dalla copia.',
  refusals: {
    refunded: () => 'L’acquisto è stato rimborsato, quindi non è più suo.',
    cancelled: () => 'L’ordine è stato annullato.',
    withdrawn: () => 'Il negozio lo ha ritirato. Contatti il negozio.',
    ended_by_clock: () =>
      'È terminato perché l’orologio di un dispositivo è stato spostato indietro. Contatti il negozio.',
    license_invalid: () => 'La licenza non è più valida. Contatti il negozio.',
    order_not_confirmed: () => 'L’ordine non è ancora confermato. Sarà disponibile appena lo sarà.',
    not_released: ({ date }) => `Potrà usarlo a partire dal ${date}.`,
    expired: ({ date }) => `Il tempo per usarlo è terminato il ${date}.`,
    clock_set_back: () => 'L’orologio del suo dispositivo non è esatto. Lo regoli e riprovi.',
    play_not_allowed: () => 'Questa licenza non consente la riproduzione.',
    download_not_allowed: () => 'Questa licenza non consente il download.',
    export_not_allowed: () => 'Questa licenza non consente l’esportazione.',
    burn_not_allowed: () => 'Questa licenza non consente la masterizzazione.',
    print_not_allowed: () => 'Questa licenza non consente la stampa.',
    too_many_pages: ({ pages }) => `Si possono stampare al massimo ${pages} alla volta.`,
    device_required: () => 'Questa licenza conta i dispositivi, quindi il lettore deve indicare il dispositivo.',
    device_limit: () =>
      'È in uso su tanti dispositivi quanti ne consente la licenza. Lo interrompa prima su un altro dispositivo.',
    annual_device_limit: () => 'Quest’anno è stato usato su tanti dispositivi quanti ne consente la licenza.',
    downloads_used_up: () => 'Tutti i download sono esauriti.',
    annual_downloads_used_up: ({ date }) =>
      `Tutti i download di quest’anno sono esauriti. Ce ne saranno di nuovi dal ${date}.`,
    exports_used_up: () => 'Tutte le esportazioni sono esaurite.',
    annual_exports_used_up: ({ date }) =>
      `Tutte le esportazioni di quest’anno sono esaurite. Ce ne saranno di nuove dal ${date}.`,
    burns_used_up: () => 'È stato masterizzato tante volte quante ne consente la licenza.',
  },
}

import type { Phrases } from './phrases.words.ts'

const many = (one: string, more: string) => (count: number, shown: string) => `${shown} ${count === 1 ? one : more}`

export const es: Phrases = {
  region: 'ES',
  units: {
    hours: many('hora', 'horas'),
    days: many('día', 'días'),
    months: many('mes', 'meses'),
    pages: many('página', 'páginas'),
  },
  noEnd: 'Sin límite de tiempo.',
  endsOn: (date) => `Hasta el ${date}.`,
  afterAcquisition: (period) => `${period} desde la compra.`,
  afterFirstUse: (period) => `${period} desde el primer uso.`,
  noPlaying: 'No se puede reproducir.',
  noDownloads: 'Sin descargas.',
  downloads: (count, shown) => `${many('descarga', 'descargas')(count, shown)}.`,
  downloadsAYear: (count, shown) => `${many('descarga', 'descargas')(count, shown)} al año.`,
  devicesAtOnce: (count, shown) => `En ${many('dispositivo', 'dispositivos')(count, shown)} a la vez.`,
  devicesAYear: (count, shown) =>
    `En un máximo de ${many('dispositivo', 'dispositivos distintos')(count, shown)} al año.`,
  exports: (count, shown) => `${many('exportación', 'exportaciones')(count, shown)} sin protección.`,
  exportsWithoutLimit: 'Se puede exportar sin protección.',
  exportsAYear: (count, shown) => `${many('exportación', 'exportaciones')(count, shown)} al año.`,
  burns: (count, shown) => `Se puede grabar ${count === 1 ? 'una vez' : `${shown} veces`}.`,
  burnsWithoutLimit: 'Se puede grabar.',
  prints: (pages, shown) => `Se puede imprimir, ${many('página', 'páginas')(pages, shown)} cada vez.`,
  printsWithoutLimit: 'Se puede imprimir.',
  noProtection: 'Sin protección contra copia.',
  refusals: {
    refunded: () => 'La compra se ha reembolsado, así que ya no es suyo.',
    cancelled: () => 'El pedido se ha cancelado.',
    withdrawn: () => 'La tienda lo ha retirado. Póngase en contacto con la tienda.',
    ended_by_clock: () =>
      'Ha terminado porque se atrasó el reloj de un dispositivo. Póngase en contacto con la tienda.',
    license_invalid: () => 'La licencia ya no es válida. Póngase en contacto con la tienda.',
    order_not_confirmed: () => 'El pedido aún no está confirmado. Estará disponible en cuanto lo esté.',
    not_released: ({ date }) => `Podrá usarlo a partir del ${date}.`,
    expired: ({ date }) => `El tiempo para usarlo terminó el ${date}.`,
    clock_set_back: () => 'El reloj de su dispositivo no está en hora. Ajústelo y vuelva a intentarlo.',
    play_not_allowed: () => 'Esta licencia no permite reproducirlo.',
    download_not_allowed: () => 'Esta licencia no permite descargarlo.',
    export_not_allowed: () => 'Esta licencia no permite exportarlo.',
    burn_not_allowed: () => 'Esta licencia no permite grabarlo.',
    print_not_allowed: () => 'Esta licencia no permite imprimirlo.',
    too_many_pages: ({ pages }) => `Se pueden imprimir como máximo ${pages} cada vez.`,
    device_required: () => 'Esta licencia cuenta los dispositivos, así que el reproductor tiene que indicar cuál es.',
    device_limit: () =>
      'Se está usando en tantos dispositivos como permite la licencia. Deténgalo antes en otro dispositivo.',
    annual_device_limit: () => 'Este año se ha usado en tantos dispositivos como permite la licencia.',
    downloads_used_up: () => 'No quedan descargas.',
    annual_downloads_used_up: ({ date }) => `No quedan descargas este año. Habrá nuevas a partir del ${date}.`,
    exports_used_up: () => 'No quedan exportaciones.',
    annual_exports_used_up: ({ date }) => `No quedan exportaciones este año. Habrá nuevas a partir del ${date}.`,
    burns_used_up: () => 'Se ha grabado tantas veces como permite la licencia.',
  },
}

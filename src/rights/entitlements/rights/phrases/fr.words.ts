import type { Phrases } from './phrases.words.ts'

/** French counts 0 and 1 as one. */
const many = (one: string, more: string) => (count: number, shown: string) => `${shown} ${count < 2 ? one : more}`

export const fr: Phrases = {
  region: 'FR',
  units: {
    hours: many('heure', 'heures'),
    days: many('jour', 'jours'),
    months: many('mois', 'mois'),
    pages: many('page', 'pages'),
  },
  noEnd: 'Sans limite de durée.',
  endsOn: (date) => `Jusqu’au ${date}.`,
  afterAcquisition: (period) => `${period} à partir de l’achat.`,
  afterFirstUse: (period) => `${period} à partir de la première utilisation.`,
  noPlaying: 'Lecture non autorisée.',
  noDownloads: 'Aucun téléchargement.',
  downloads: (count, shown) => `${many('téléchargement', 'téléchargements')(count, shown)}.`,
  downloadsAYear: (count, shown) => `${many('téléchargement', 'téléchargements')(count, shown)} par an.`,
  devicesAtOnce: (count, shown) => `Sur ${many('appareil', 'appareils')(count, shown)} à la fois.`,
  devicesAYear: (count, shown) => `Sur ${many('appareil', 'appareils différents')(count, shown)} au plus par an.`,
  exports: (count, shown) => `${many('exportation', 'exportations')(count, shown)} sans protection.`,
  exportsWithoutLimit: 'Exportation sans protection autorisée.',
  exportsAYear: (count, shown) => `${many('exportation', 'exportations')(count, shown)} par an.`,
  burns: (count, shown) => `Peut être gravé ${count === 1 ? 'une' : shown} fois.`,
  burnsWithoutLimit: 'Peut être gravé.',
  prints: (pages, shown) => `Peut être imprimé, ${many('page', 'pages')(pages, shown)} à la fois.`,
  printsWithoutLimit: 'Peut être imprimé.',
  noProtection: 'Sans protection contre la copie.',
  refusals: {
    refunded: () => 'L’achat a été remboursé, ce contenu ne vous appartient donc plus.',
    cancelled: () => 'La commande a été annulée.',
    withdrawn: () => 'La boutique a retiré ce contenu. Veuillez contacter la boutique.',
    ended_by_clock: () =>
      'Votre accès a pris fin, car l’horloge d’un appareil a été retardée. Veuillez contacter la boutique.',
    license_invalid: () => 'La licence n’est plus valable. Veuillez contacter la boutique.',
    order_not_confirmed: () =>
      'La commande n’est pas encore confirmée. Le contenu sera disponible dès qu’elle le sera.',
    not_released: ({ date }) => `Vous pourrez l’utiliser à partir du ${date}.`,
    expired: ({ date }) => `La durée d’utilisation a pris fin le ${date}.`,
    clock_set_back: () => 'L’horloge de votre appareil est fausse. Mettez-la à l’heure et réessayez.',
    play_not_allowed: () => 'Cette licence ne permet pas la lecture.',
    download_not_allowed: () => 'Cette licence ne permet pas le téléchargement.',
    export_not_allowed: () => 'Cette licence ne permet pas l’exportation.',
    burn_not_allowed: () => 'Cette licence ne permet pas la gravure.',
    print_not_allowed: () => 'Cette licence ne permet pas l’impression.',
    too_many_pages: ({ pages }) => `On peut imprimer au plus ${pages} à la fois.`,
    device_required: () => 'Cette licence compte les appareils, le lecteur doit donc indiquer l’appareil.',
    device_limit: () =>
      'Le contenu est utilisé sur autant d’appareils que la licence le permet. Arrêtez-le d’abord sur un autre appareil.',
    annual_device_limit: () => 'Le contenu a été utilisé cette année sur autant d’appareils que la licence le permet.',
    downloads_used_up: () => 'Tous les téléchargements sont épuisés.',
    annual_downloads_used_up: ({ date }) =>
      `Tous les téléchargements de cette année sont épuisés. Il y en aura de nouveaux à partir du ${date}.`,
    exports_used_up: () => 'Toutes les exportations sont épuisées.',
    annual_exports_used_up: ({ date }) =>
      `Toutes les exportations de cette année sont épuisées. Il y en aura de nouvelles à partir du ${date}.`,
    burns_used_up: () => 'Le contenu a été gravé autant de fois que la licence le permet.',
  },
}

import type { Flag } from './state.ts'

/** What owners and customers are told about payments, in one language. */
export type PaymentWords = {
  language: string
  warning: {
    subject: (order: string) => string
    title: string
    reasons: Record<Flag, (order: string) => string>
    payment: (id: number, amount: string) => string
    reference: (gateway: string, reference: string) => string
  }
  bill: {
    subject: (order: string, shop: string) => string
    title: string
    text: (order: string, amount: string) => string
    name: (order: string) => string
    instructions: string
    later: string
    until: (date: string) => string
  }
}

const en: PaymentWords = {
  language: 'en',
  warning: {
    subject: (order) => `Please check the payment of order ${order}`,
    title: 'A payment needs your attention',
    reasons: {
      amount_differs: (order) =>
        `For order ${order} another amount was paid than the order comes to. The order is not confirmed. Mark it as paid, or pay the money back.`,
      order_cancelled: (order) => `Order ${order} was cancelled, and was paid after that. Please refund it.`,
      paid_twice: (order) => `Order ${order} was paid a second time. Please pay the second payment back.`,
      refund_failed: (order) => `The refund of order ${order} did not work. The customer has not got the money yet.`,
      refunded_elsewhere: (order) =>
        `A payment of order ${order} was refunded at the payment gateway, and not here. Please refund the order here too.`,
      disputed: (order) =>
        `The customer has disputed the payment of order ${order}. Please answer in the dashboard of the payment gateway.`,
    },
    payment: (id, amount) => `Payment ${id}: ${amount}`,
    reference: (gateway, reference) => `At ${gateway}: ${reference}`,
  },
  bill: {
    subject: (order, shop) => `Please pay for your order ${order} at ${shop}`,
    title: 'Thank you for your order',
    text: (order, amount) => `We have received your order ${order}. Please pay ${amount}.`,
    name: (order) => `Reference: ${order}`,
    instructions: 'How to pay',
    later: 'We complete the order as soon as the payment has arrived.',
    until: (date) => `If it has not arrived by ${date}, we cancel the order.`,
  },
}

const de: PaymentWords = {
  language: 'de',
  warning: {
    subject: (order) => `Bitte prüfen Sie die Zahlung zur Bestellung ${order}`,
    title: 'Eine Zahlung braucht Ihre Aufmerksamkeit',
    reasons: {
      amount_differs: (order) =>
        `Zur Bestellung ${order} wurde ein anderer Betrag gezahlt als berechnet. Die Bestellung ist nicht bestätigt. Markieren Sie sie als bezahlt oder zahlen Sie das Geld zurück.`,
      order_cancelled: (order) =>
        `Die Bestellung ${order} war storniert und wurde danach bezahlt. Bitte erstatten Sie den Betrag.`,
      paid_twice: (order) =>
        `Die Bestellung ${order} wurde ein zweites Mal bezahlt. Bitte zahlen Sie die zweite Zahlung zurück.`,
      refund_failed: (order) =>
        `Die Erstattung zur Bestellung ${order} hat nicht funktioniert. Der Kunde hat sein Geld noch nicht zurück.`,
      refunded_elsewhere: (order) =>
        `Eine Zahlung zur Bestellung ${order} wurde beim Zahlungsanbieter erstattet und nicht hier. Bitte erstatten Sie die Bestellung auch hier.`,
      disputed: (order) =>
        `Der Kunde hat die Zahlung zur Bestellung ${order} angefochten. Bitte antworten Sie im Dashboard des Zahlungsanbieters.`,
    },
    payment: (id, amount) => `Zahlung ${id}: ${amount}`,
    reference: (gateway, reference) => `Bei ${gateway}: ${reference}`,
  },
  bill: {
    subject: (order, shop) => `Bitte bezahlen Sie Ihre Bestellung ${order} bei ${shop}`,
    title: 'Vielen Dank für Ihre Bestellung',
    text: (order, amount) => `wir haben Ihre Bestellung ${order} erhalten. Bitte zahlen Sie ${amount}.`,
    name: (order) => `Verwendungszweck: ${order}`,
    instructions: 'So bezahlen Sie',
    later: 'Wir führen die Bestellung aus, sobald die Zahlung eingegangen ist.',
    until: (date) => `Ist sie bis zum ${date} nicht eingegangen, stornieren wir die Bestellung.`,
  },
}

const fr: PaymentWords = {
  language: 'fr',
  warning: {
    subject: (order) => `Veuillez vérifier le paiement de la commande ${order}`,
    title: 'Un paiement demande votre attention',
    reasons: {
      amount_differs: (order) =>
        `Le montant payé pour la commande ${order} n’est pas celui de la commande. Elle n’est pas confirmée. Marquez-la comme payée ou remboursez le client.`,
      order_cancelled: (order) => `La commande ${order} était annulée et a été payée ensuite. Veuillez la rembourser.`,
      paid_twice: (order) => `La commande ${order} a été payée deux fois. Veuillez rembourser le second paiement.`,
      refund_failed: (order) =>
        `Le remboursement de la commande ${order} a échoué. Le client n’a pas encore reçu son argent.`,
      refunded_elsewhere: (order) =>
        `Un paiement de la commande ${order} a été remboursé chez le prestataire de paiement, et non ici. Veuillez rembourser la commande ici aussi.`,
      disputed: (order) =>
        `Le client conteste le paiement de la commande ${order}. Veuillez répondre dans l’espace du prestataire de paiement.`,
    },
    payment: (id, amount) => `Paiement ${id} : ${amount}`,
    reference: (gateway, reference) => `Chez ${gateway} : ${reference}`,
  },
  bill: {
    subject: (order, shop) => `Veuillez payer votre commande ${order} chez ${shop}`,
    title: 'Merci pour votre commande',
    text: (order, amount) => `Nous avons reçu votre commande ${order}. Veuillez payer ${amount}.`,
    name: (order) => `Référence : ${order}`,
    instructions: 'Comment payer',
    later: 'Nous traiterons la commande dès que le paiement sera arrivé.',
    until: (date) => `S’il n’arrive pas au plus tard le ${date}, nous annulons la commande.`,
  },
}

const es: PaymentWords = {
  language: 'es',
  warning: {
    subject: (order) => `Compruebe el pago del pedido ${order}`,
    title: 'Un pago requiere su atención',
    reasons: {
      amount_differs: (order) =>
        `El importe pagado por el pedido ${order} no es el del pedido. El pedido no está confirmado. Márquelo como pagado o devuelva el dinero.`,
      order_cancelled: (order) => `El pedido ${order} estaba cancelado y se pagó después. Reembolse el importe.`,
      paid_twice: (order) => `El pedido ${order} se ha pagado dos veces. Devuelva el segundo pago.`,
      refund_failed: (order) =>
        `El reembolso del pedido ${order} no ha funcionado. El cliente todavía no ha recibido su dinero.`,
      refunded_elsewhere: (order) =>
        `Un pago del pedido ${order} se ha reembolsado en el proveedor de pagos y no aquí. Reembolse el pedido también aquí.`,
      disputed: (order) =>
        `El cliente ha disputado el pago del pedido ${order}. Responda en el panel del proveedor de pagos.`,
    },
    payment: (id, amount) => `Pago ${id}: ${amount}`,
    reference: (gateway, reference) => `En ${gateway}: ${reference}`,
  },
  bill: {
    subject: (order, shop) => `Pague su pedido ${order} en ${shop}`,
    title: 'Gracias por su pedido',
    text: (order, amount) => `Hemos recibido su pedido ${order}. Pague ${amount}.`,
    name: (order) => `Referencia: ${order}`,
    instructions: 'Cómo pagar',
    later: 'Completaremos el pedido en cuanto llegue el pago.',
    until: (date) => `Si no llega, a más tardar, el ${date}, cancelaremos el pedido.`,
  },
}

const it: PaymentWords = {
  language: 'it',
  warning: {
    subject: (order) => `Controlli il pagamento dell’ordine ${order}`,
    title: 'Un pagamento richiede la sua attenzione',
    reasons: {
      amount_differs: (order) =>
        `L’importo pagato per l’ordine ${order} non è quello dell’ordine. L’ordine non è confermato. Lo segni come pagato o restituisca il denaro.`,
      order_cancelled: (order) => `L’ordine ${order} era annullato ed è stato pagato dopo. Lo rimborsi.`,
      paid_twice: (order) => `L’ordine ${order} è stato pagato due volte. Rimborsi il secondo pagamento.`,
      refund_failed: (order) =>
        `Il rimborso dell’ordine ${order} non è riuscito. Il cliente non ha ancora ricevuto il denaro.`,
      refunded_elsewhere: (order) =>
        `Un pagamento dell’ordine ${order} è stato rimborsato presso il gestore dei pagamenti e non qui. Rimborsi l’ordine anche qui.`,
      disputed: (order) =>
        `Il cliente ha contestato il pagamento dell’ordine ${order}. Risponda nel pannello del gestore dei pagamenti.`,
    },
    payment: (id, amount) => `Pagamento ${id}: ${amount}`,
    reference: (gateway, reference) => `Presso ${gateway}: ${reference}`,
  },
  bill: {
    subject: (order, shop) => `Paghi il suo ordine ${order} presso ${shop}`,
    title: 'Grazie per il suo ordine',
    text: (order, amount) => `Abbiamo ricevuto il suo ordine ${order}. La preghiamo di pagare ${amount}.`,
    name: (order) => `Causale: ${order}`,
    instructions: 'Come pagare',
    later: 'Completeremo l’ordine appena il pagamento sarà arrivato.',
    until: (date) => `Se non arriva entro il ${date}, annulleremo l’ordine.`,
  },
}

const pt: PaymentWords = {
  language: 'pt',
  warning: {
    subject: (order) => `Verifique o pagamento da encomenda ${order}`,
    title: 'Um pagamento precisa da sua atenção',
    reasons: {
      amount_differs: (order) =>
        `O valor pago pela encomenda ${order} não é o da encomenda. A encomenda não está confirmada. Marque-a como paga ou devolva o dinheiro.`,
      order_cancelled: (order) => `A encomenda ${order} estava cancelada e foi paga depois. Reembolse o valor.`,
      paid_twice: (order) => `A encomenda ${order} foi paga duas vezes. Devolva o segundo pagamento.`,
      refund_failed: (order) =>
        `O reembolso da encomenda ${order} não funcionou. O cliente ainda não recebeu o dinheiro.`,
      refunded_elsewhere: (order) =>
        `Um pagamento da encomenda ${order} foi reembolsado no fornecedor de pagamentos e não aqui. Reembolse a encomenda também aqui.`,
      disputed: (order) =>
        `O cliente contestou o pagamento da encomenda ${order}. Responda no painel do fornecedor de pagamentos.`,
    },
    payment: (id, amount) => `Pagamento ${id}: ${amount}`,
    reference: (gateway, reference) => `Em ${gateway}: ${reference}`,
  },
  bill: {
    subject: (order, shop) => `Pague a sua encomenda ${order} em ${shop}`,
    title: 'Obrigado pela sua encomenda',
    text: (order, amount) => `Recebemos a sua encomenda ${order}. Por favor, pague ${amount}.`,
    name: (order) => `Referência: ${order}`,
    instructions: 'Como pagar',
    later: 'Trataremos da encomenda assim que o pagamento chegar.',
    until: (date) => `Se não chegar até ${date}, cancelaremos a encomenda.`,
  },
}

const WORDS: Readonly<Record<string, PaymentWords>> = { en, de, pt, es, it, fr }

/** A language without words of its own gets English. */
export function paymentWords(language: string): PaymentWords {
  return (Object.hasOwn(WORDS, language) ? WORDS[language] : undefined) ?? en
}

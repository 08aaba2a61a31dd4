/**
 * Short fixed replies for languages in which no clinician and native speaker has approved a
 * protocol text. Each reply is one plain sentence, the emergency number and verified lines.
 */
import type { SafetyLanguage } from '../types.ts';
import type { FixedText } from './text.ts';

const ES: FixedText = {
  language: 'es',
  reviewed_by: null,
  plain: [
    'Siento que estés pasando por algo tan duro; soy una IA, no una persona, y aquí hay personas que pueden hablar contigo ahora.',
    'Gracias por contármelo; soy solo un programa de IA, y una persona de estas líneas puede escucharte y ayudarte.',
    'Sigo leyéndote aquí; soy una IA, y te animo a hablar también con una de estas personas.',
  ],
  urgent: [
    'Si estás en peligro ahora, llama al {emergency}, quédate con alguien y aléjate de todo lo que pueda hacerte daño; soy una IA y no puedo llamar por ti.',
    'Por favor, llama ya al {emergency} o pide a alguien cerca que llame y se quede contigo; yo soy solo una IA.',
    'El {emergency} puede enviarte ayuda ahora mismo; soy una IA y no puedo estar a tu lado como puede estarlo una persona.',
  ],
  third: [
    'Haces bien en preocuparte; soy una IA, y si esa persona está en peligro ahora, llama al {emergency} y no la dejes sola.',
    'Estas líneas también aconsejan a quien se preocupa por otra persona; soy una IA, y si hay peligro ahora, llama al {emergency}.',
  ],
  disclosure:
    'Estás hablando con una IA, no con una persona. Puede equivocarse y no puede pedir ayuda por ti.',
  labels: {
    emergency: 'Emergencias',
    localEmergency: 'número de emergencias de tu país',
    call: 'teléfono',
    sms: 'SMS',
    smsKeyword: 'SMS con {keyword} al {number}',
    checked: 'Números comprobados por última vez el',
    disputed: 'las fuentes no coinciden, puede haber cambiado',
    readsEnglish: false,
  },
};

const FR: FixedText = {
  language: 'fr',
  reviewed_by: null,
  plain: [
    'Je suis désolé que ce soit si dur en ce moment ; je suis une IA, pas une personne, et voici des personnes qui peuvent te parler maintenant.',
    'Merci de me l’avoir dit ; je ne suis qu’un programme d’IA, et quelqu’un sur ces lignes peut t’écouter et t’aider.',
    'Je continue à te lire ici ; je suis une IA, et je t’encourage à parler aussi à l’une de ces personnes.',
  ],
  urgent: [
    'Si tu es en danger maintenant, appelle le {emergency}, reste avec quelqu’un et éloigne-toi de tout ce qui pourrait te blesser ; je suis une IA et je ne peux pas appeler pour toi.',
    'S’il te plaît, appelle tout de suite le {emergency} ou demande à quelqu’un d’appeler et de rester avec toi ; je ne suis qu’une IA.',
    'Le {emergency} peut t’envoyer de l’aide maintenant ; je suis une IA et je ne peux pas être à tes côtés comme une personne.',
  ],
  third: [
    'Tu as raison de t’inquiéter ; je suis une IA, et si cette personne est en danger maintenant, appelle le {emergency} et ne la laisse pas seule.',
    'Ces lignes conseillent aussi les proches ; je suis une IA, et en cas de danger immédiat, appelle le {emergency}.',
  ],
  disclosure:
    'Tu parles avec une IA, pas avec une personne. Elle peut se tromper et ne peut pas appeler à l’aide.',
  labels: {
    emergency: 'Urgences',
    localEmergency: 'numéro d’urgence de ton pays',
    call: 'téléphone',
    sms: 'SMS',
    smsKeyword: 'SMS {keyword} au {number}',
    checked: 'Numéros vérifiés pour la dernière fois le',
    disputed: 'les sources divergent, a pu changer',
    readsEnglish: false,
  },
};

const DE: FixedText = {
  language: 'de',
  reviewed_by: null,
  plain: [
    'Es tut mir leid, dass es gerade so schwer ist; ich bin eine KI, kein Mensch, und hier sind Menschen, die jetzt mit dir sprechen können.',
    'Danke, dass du es mir sagst; ich bin nur ein KI-Programm, und jemand an diesen Telefonen kann dir zuhören und helfen.',
    'Ich lese hier weiter mit; ich bin eine KI, und ich möchte dich ermutigen, auch mit einem dieser Menschen zu sprechen.',
  ],
  urgent: [
    'Wenn du jetzt in Gefahr bist, ruf {emergency} an, bleib bei jemandem und geh weg von allem, womit du dich verletzen könntest; ich bin eine KI und kann nicht für dich anrufen.',
    'Bitte ruf jetzt {emergency} an, oder bitte jemanden in der Nähe, anzurufen und bei dir zu bleiben; ich bin nur eine KI.',
    'Über {emergency} kommt jetzt Hilfe zu dir; ich bin eine KI und kann nicht bei dir sein, wie ein Mensch es kann.',
  ],
  third: [
    'Es ist richtig, dass du dir Sorgen machst; ich bin eine KI, und wenn die Person jetzt in Gefahr ist, ruf {emergency} an und lass sie nicht allein.',
    'Diese Stellen beraten auch Angehörige und Freunde; ich bin eine KI, und bei Gefahr ruf jetzt {emergency} an.',
  ],
  disclosure:
    'Du sprichst mit einer KI, nicht mit einem Menschen. Sie kann sich irren und keine Hilfe rufen.',
  labels: {
    emergency: 'Notruf',
    localEmergency: 'den örtlichen Notruf',
    call: 'Telefon',
    sms: 'SMS',
    smsKeyword: 'SMS mit {keyword} an {number}',
    checked: 'Nummern zuletzt geprüft am',
    disputed: 'Quellen widersprechen sich, kann sich geändert haben',
    readsEnglish: false,
  },
};

const PT: FixedText = {
  language: 'pt',
  reviewed_by: null,
  plain: [
    'Sinto muito que esteja tão difícil; sou uma IA, não uma pessoa, e aqui há pessoas que podem falar com você agora.',
    'Obrigado por me contar; sou apenas um programa de IA, e alguém nestas linhas pode ouvir e ajudar você.',
    'Continuo lendo você aqui; sou uma IA, e peço que fale também com uma destas pessoas.',
  ],
  urgent: [
    'Se você está em perigo agora, ligue para {emergency}, fique com alguém e afaste-se de tudo o que possa ferir você; sou uma IA e não posso ligar por você.',
    'Por favor, ligue já para {emergency} ou peça a alguém por perto que ligue e fique com você; sou apenas uma IA.',
    'Pelo {emergency} a ajuda pode chegar agora; sou uma IA e não posso estar ao seu lado como uma pessoa pode.',
  ],
  third: [
    'Você faz bem em se preocupar; sou uma IA, e se essa pessoa está em perigo agora, ligue para {emergency} e não a deixe sozinha.',
    'Estas linhas também orientam quem se preocupa com alguém; sou uma IA, e se houver perigo agora, ligue para {emergency}.',
  ],
  disclosure:
    'Você está falando com uma IA, não com uma pessoa. Ela pode errar e não pode pedir ajuda por você.',
  labels: {
    emergency: 'Emergência',
    localEmergency: 'o número de emergência do seu país',
    call: 'telefone',
    sms: 'SMS',
    smsKeyword: 'SMS com {keyword} para {number}',
    checked: 'Números verificados pela última vez em',
    disputed: 'as fontes divergem, pode ter mudado',
    readsEnglish: false,
  },
};

const IT: FixedText = {
  language: 'it',
  reviewed_by: null,
  plain: [
    'Mi dispiace che sia così difficile in questo momento; sono un’IA, non una persona, e qui ci sono persone che possono parlare con te adesso.',
    'Grazie per avermelo detto; sono solo un programma di IA, e qualcuno a questi numeri può ascoltarti e aiutarti.',
    'Continuo a leggerti qui; sono un’IA, e ti incoraggio a parlare anche con una di queste persone.',
  ],
  urgent: [
    'Se sei in pericolo adesso, chiama il {emergency}, resta con qualcuno e allontanati da tutto ciò che potrebbe farti male; sono un’IA e non posso chiamare al posto tuo.',
    'Per favore, chiama subito il {emergency} o chiedi a qualcuno vicino di chiamare e di restare con te; io sono solo un’IA.',
    'Il {emergency} può mandarti aiuto adesso; sono un’IA e non posso esserti accanto come una persona.',
  ],
  third: [
    'Fai bene a preoccuparti; sono un’IA, e se quella persona è in pericolo adesso, chiama il {emergency} e non lasciarla sola.',
    'Questi servizi consigliano anche chi si preoccupa per qualcuno; sono un’IA, e se c’è pericolo adesso, chiama il {emergency}.',
  ],
  disclosure:
    'Stai parlando con un’IA, non con una persona. Può sbagliare e non può chiamare aiuto per te.',
  labels: {
    emergency: 'Emergenza',
    localEmergency: 'numero di emergenza del tuo paese',
    call: 'telefono',
    sms: 'SMS',
    smsKeyword: 'SMS con {keyword} al {number}',
    checked: 'Numeri verificati l’ultima volta il',
    disputed: 'le fonti non concordano, potrebbe essere cambiato',
    readsEnglish: false,
  },
};

/** Fixed replies by language; English has the full protocol instead. */
export const FIXED: ReadonlyMap<SafetyLanguage, FixedText> = new Map(
  [ES, FR, DE, PT, IT].map((text) => [text.language, text]),
);

// Made by Tests/Scripts/make-zones.py of version 2026f of the database.

/// The clocks of the world's time zones, as the IANA time zone database (public domain) has them.
///
/// The rule of today is that of the last line of each compiled zone. Where a clock did or will not
/// follow it between 2015 and 2100 is listed beside it; what is said of times before may be an hour
/// off. A zone that a calendar brings itself comes first.
enum ZoneTable {
  /// A rule as POSIX writes it, and the names of the zones that follow it; a line each.
  static let text = """
    <+00>0 Africa/Casablanca Africa/El_Aaiun
    <+00>0<+02>-2,M3.5.0/1,M10.5.0/3 Antarctica/Troll
    <+01>-1 Etc/GMT-1
    <+02>-2 Etc/GMT-2
    <+0330>-3:30 Asia/Tehran Iran
    <+03>-3 Antarctica/Syowa Asia/Aden Asia/Amman Asia/Baghdad Asia/Bahrain Asia/Damascus \
    Asia/Istanbul Asia/Kuwait Asia/Qatar Asia/Riyadh Etc/GMT-3 Europe/Istanbul Europe/Minsk \
    Turkey
    <+0430>-4:30 Asia/Kabul
    <+04>-4 Asia/Baku Asia/Dubai Asia/Muscat Asia/Tbilisi Asia/Yerevan Etc/GMT-4 \
    Europe/Astrakhan Europe/Samara Europe/Saratov Europe/Ulyanovsk Indian/Mahe Indian/Mauritius \
    Indian/Reunion
    <+0530>-5:30 Asia/Colombo
    <+0545>-5:45 Asia/Kathmandu Asia/Katmandu
    <+05>-5 Antarctica/Mawson Antarctica/Vostok Asia/Almaty Asia/Aqtau Asia/Aqtobe \
    Asia/Ashgabat Asia/Ashkhabad Asia/Atyrau Asia/Dushanbe Asia/Oral Asia/Qostanay \
    Asia/Qyzylorda Asia/Samarkand Asia/Tashkent Asia/Yekaterinburg Etc/GMT-5 Indian/Kerguelen \
    Indian/Maldives
    <+0630>-6:30 Asia/Rangoon Asia/Yangon Indian/Cocos
    <+06>-6 Asia/Bishkek Asia/Dacca Asia/Dhaka Asia/Kashgar Asia/Omsk Asia/Thimbu Asia/Thimphu \
    Asia/Urumqi Etc/GMT-6 Indian/Chagos
    <+07>-7 Antarctica/Davis Asia/Bangkok Asia/Barnaul Asia/Ho_Chi_Minh Asia/Hovd \
    Asia/Krasnoyarsk Asia/Novokuznetsk Asia/Novosibirsk Asia/Phnom_Penh Asia/Saigon Asia/Tomsk \
    Asia/Vientiane Etc/GMT-7 Indian/Christmas
    <+0845>-8:45 Australia/Eucla
    <+08>-8 Antarctica/Casey Asia/Brunei Asia/Choibalsan Asia/Irkutsk Asia/Kuala_Lumpur \
    Asia/Kuching Asia/Singapore Asia/Ulaanbaatar Asia/Ulan_Bator Etc/GMT-8 Singapore
    <+09>-9 Asia/Chita Asia/Dili Asia/Khandyga Asia/Yakutsk Etc/GMT-9 Pacific/Palau
    <+1030>-10:30<+11>-11,M10.1.0,M4.1.0 Australia/LHI Australia/Lord_Howe
    <+10>-10 Antarctica/DumontDUrville Asia/Ust-Nera Asia/Vladivostok Etc/GMT-10 Pacific/Chuuk \
    Pacific/Port_Moresby Pacific/Truk Pacific/Yap
    <+11>-11 Asia/Magadan Asia/Sakhalin Asia/Srednekolymsk Etc/GMT-11 Pacific/Bougainville \
    Pacific/Efate Pacific/Guadalcanal Pacific/Kosrae Pacific/Noumea Pacific/Pohnpei \
    Pacific/Ponape
    <+11>-11<+12>,M10.1.0,M4.1.0/3 Pacific/Norfolk
    <+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45 NZ-CHAT Pacific/Chatham
    <+12>-12 Asia/Anadyr Asia/Kamchatka Etc/GMT-12 Kwajalein Pacific/Fiji Pacific/Funafuti \
    Pacific/Kwajalein Pacific/Majuro Pacific/Nauru Pacific/Tarawa Pacific/Wake Pacific/Wallis
    <+13>-13 Etc/GMT-13 Pacific/Apia Pacific/Enderbury Pacific/Fakaofo Pacific/Kanton \
    Pacific/Tongatapu
    <+14>-14 Etc/GMT-14 Pacific/Kiritimati
    <-01>1 Atlantic/Cape_Verde Etc/GMT+1
    <-01>1<+00>,M3.5.0/0,M10.5.0/1 Atlantic/Azores
    <-02>2 America/Noronha Atlantic/South_Georgia Brazil/DeNoronha Etc/GMT+2
    <-02>2<-01>,M3.5.0/-1,M10.5.0/0 America/Godthab America/Nuuk America/Scoresbysund
    <-03>3 America/Araguaina America/Argentina/Buenos_Aires America/Argentina/Catamarca \
    America/Argentina/ComodRivadavia America/Argentina/Cordoba America/Argentina/Jujuy \
    America/Argentina/La_Rioja America/Argentina/Mendoza America/Argentina/Rio_Gallegos \
    America/Argentina/Salta America/Argentina/San_Juan America/Argentina/San_Luis \
    America/Argentina/Tucuman America/Argentina/Ushuaia America/Asuncion America/Bahia \
    America/Belem America/Buenos_Aires America/Catamarca America/Cayenne America/Cordoba \
    America/Coyhaique America/Fortaleza America/Jujuy America/Maceio America/Mendoza \
    America/Montevideo America/Paramaribo America/Punta_Arenas America/Recife America/Rosario \
    America/Santarem America/Sao_Paulo Antarctica/Palmer Antarctica/Rothera Atlantic/Stanley \
    Brazil/East Etc/GMT+3
    <-03>3<-02>,M3.2.0,M11.1.0 America/Miquelon
    <-04>4 America/Boa_Vista America/Campo_Grande America/Caracas America/Cuiaba America/Guyana \
    America/La_Paz America/Manaus America/Porto_Velho Brazil/West Etc/GMT+4
    <-04>4<-03>,M9.1.6/24,M4.1.6/24 America/Santiago Chile/Continental
    <-05>5 America/Bogota America/Eirunepe America/Guayaquil America/Lima America/Porto_Acre \
    America/Rio_Branco Brazil/Acre Etc/GMT+5
    <-06>6 Etc/GMT+6 Pacific/Galapagos
    <-06>6<-05>,M9.1.6/22,M4.1.6/22 Chile/EasterIsland Pacific/Easter
    <-07>7 Etc/GMT+7
    <-08>8 Etc/GMT+8 Pacific/Pitcairn
    <-0930>9:30 Pacific/Marquesas
    <-09>9 Etc/GMT+9 Pacific/Gambier
    <-10>10 Etc/GMT+10 Pacific/Rarotonga Pacific/Tahiti
    <-11>11 Etc/GMT+11 Pacific/Niue
    <-12>12 Etc/GMT+12
    ACST-9:30 Australia/Darwin Australia/North
    ACST-9:30ACDT,M10.1.0,M4.1.0/3 Australia/Adelaide Australia/Broken_Hill Australia/South \
    Australia/Yancowinna
    AEST-10 Australia/Brisbane Australia/Lindeman Australia/Queensland
    AEST-10AEDT,M10.1.0,M4.1.0/3 Antarctica/Macquarie Australia/ACT Australia/Canberra \
    Australia/Currie Australia/Hobart Australia/Melbourne Australia/NSW Australia/Sydney \
    Australia/Tasmania Australia/Victoria
    AKST9AKDT,M3.2.0,M11.1.0 America/Anchorage America/Juneau America/Metlakatla America/Nome \
    America/Sitka America/Yakutat US/Alaska
    AST4 America/Anguilla America/Antigua America/Aruba America/Barbados America/Blanc-Sablon \
    America/Curacao America/Dominica America/Grenada America/Guadeloupe America/Kralendijk \
    America/Lower_Princes America/Marigot America/Martinique America/Montserrat \
    America/Port_of_Spain America/Puerto_Rico America/Santo_Domingo America/St_Barthelemy \
    America/St_Kitts America/St_Lucia America/St_Thomas America/St_Vincent America/Tortola \
    America/Virgin
    AST4ADT,M3.2.0,M11.1.0 America/Glace_Bay America/Goose_Bay America/Halifax America/Moncton \
    America/Thule Atlantic/Bermuda Canada/Atlantic
    AWST-8 Australia/Perth Australia/West
    CAT-2 Africa/Blantyre Africa/Bujumbura Africa/Gaborone Africa/Harare Africa/Juba \
    Africa/Khartoum Africa/Kigali Africa/Lubumbashi Africa/Lusaka Africa/Maputo Africa/Windhoek
    CET-1 Africa/Algiers Africa/Tunis
    CET-1CEST,M3.5.0,M10.5.0/3 Africa/Ceuta Arctic/Longyearbyen Atlantic/Jan_Mayen CET \
    Europe/Amsterdam Europe/Andorra Europe/Belgrade Europe/Berlin Europe/Bratislava \
    Europe/Brussels Europe/Budapest Europe/Busingen Europe/Copenhagen Europe/Gibraltar \
    Europe/Ljubljana Europe/Luxembourg Europe/Madrid Europe/Malta Europe/Monaco Europe/Oslo \
    Europe/Paris Europe/Podgorica Europe/Prague Europe/Rome Europe/San_Marino Europe/Sarajevo \
    Europe/Skopje Europe/Stockholm Europe/Tirane Europe/Vaduz Europe/Vatican Europe/Vienna \
    Europe/Warsaw Europe/Zagreb Europe/Zurich MET Poland
    CST-8 Asia/Chongqing Asia/Chungking Asia/Harbin Asia/Macao Asia/Macau Asia/Shanghai \
    Asia/Taipei PRC ROC
    CST5CDT,M3.2.0/0,M11.1.0/1 America/Havana Cuba
    CST6 America/Bahia_Banderas America/Belize America/Chihuahua America/Costa_Rica \
    America/Edmonton America/El_Salvador America/Guatemala America/Inuvik America/Managua \
    America/Merida America/Mexico_City America/Monterrey America/Regina America/Swift_Current \
    America/Tegucigalpa America/Yellowknife Canada/Mountain Canada/Saskatchewan Mexico/General
    CST6CDT,M3.2.0,M11.1.0 America/Chicago America/Indiana/Knox America/Indiana/Tell_City \
    America/Knox_IN America/Matamoros America/Menominee America/North_Dakota/Beulah \
    America/North_Dakota/Center America/North_Dakota/New_Salem America/Ojinaga \
    America/Rankin_Inlet America/Resolute CST6CDT US/Central US/Indiana-Starke
    ChST-10 Pacific/Guam Pacific/Saipan
    EAT-3 Africa/Addis_Ababa Africa/Asmara Africa/Asmera Africa/Dar_es_Salaam Africa/Djibouti \
    Africa/Kampala Africa/Mogadishu Africa/Nairobi Indian/Antananarivo Indian/Comoro \
    Indian/Mayotte
    EET-2 Africa/Tripoli Europe/Kaliningrad Libya
    EET-2EEST,M3.4.4/50,M10.4.4/50 Asia/Gaza Asia/Hebron
    EET-2EEST,M3.5.0/0,M10.5.0/0 Asia/Beirut
    EET-2EEST,M3.5.0/3,M10.5.0/4 Asia/Famagusta Asia/Nicosia EET Europe/Athens Europe/Bucharest \
    Europe/Chisinau Europe/Helsinki Europe/Kiev Europe/Kyiv Europe/Mariehamn Europe/Nicosia \
    Europe/Riga Europe/Sofia Europe/Tallinn Europe/Tiraspol Europe/Uzhgorod Europe/Vilnius \
    Europe/Zaporozhye
    EET-2EEST,M4.5.5/0,M10.5.4/24 Africa/Cairo Egypt
    EST5 America/Atikokan America/Cancun America/Cayman America/Coral_Harbour America/Jamaica \
    America/Panama America/Rainy_River America/Winnipeg Canada/Central EST Jamaica
    EST5EDT,M3.2.0,M11.1.0 America/Detroit America/Fort_Wayne America/Grand_Turk \
    America/Indiana/Indianapolis America/Indiana/Marengo America/Indiana/Petersburg \
    America/Indiana/Vevay America/Indiana/Vincennes America/Indiana/Winamac \
    America/Indianapolis America/Iqaluit America/Kentucky/Louisville \
    America/Kentucky/Monticello America/Louisville America/Montreal America/Nassau \
    America/New_York America/Nipigon America/Pangnirtung America/Port-au-Prince \
    America/Thunder_Bay America/Toronto Canada/Eastern EST5EDT US/East-Indiana US/Eastern \
    US/Michigan
    GMT0 Africa/Abidjan Africa/Accra Africa/Bamako Africa/Banjul Africa/Bissau Africa/Conakry \
    Africa/Dakar Africa/Freetown Africa/Lome Africa/Monrovia Africa/Nouakchott \
    Africa/Ouagadougou Africa/Sao_Tome Africa/Timbuktu America/Danmarkshavn Atlantic/Reykjavik \
    Atlantic/St_Helena Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich GMT GMT+0 GMT-0 GMT0 \
    Greenwich Iceland
    GMT0BST,M3.5.0/1,M10.5.0 Europe/Belfast Europe/Guernsey Europe/Isle_of_Man Europe/Jersey \
    Europe/London GB GB-Eire
    HKT-8 Asia/Hong_Kong Hongkong
    HST10 HST Pacific/Honolulu Pacific/Johnston US/Hawaii
    HST10HDT,M3.2.0,M11.1.0 America/Adak America/Atka US/Aleutian
    IST-1GMT0,M10.5.0,M3.5.0/1 Eire Europe/Dublin
    IST-2IDT,M3.4.4/26,M10.5.0 Asia/Jerusalem Asia/Tel_Aviv Israel
    IST-5:30 Asia/Calcutta Asia/Kolkata
    JST-9 Asia/Tokyo Japan
    KST-9 Asia/Pyongyang Asia/Seoul ROK
    MSK-3 Europe/Kirov Europe/Moscow Europe/Simferopol Europe/Volgograd W-SU
    MST7 America/Creston America/Dawson America/Dawson_Creek America/Fort_Nelson \
    America/Hermosillo America/Mazatlan America/Phoenix America/Vancouver America/Whitehorse \
    Canada/Pacific Canada/Yukon MST Mexico/BajaSur US/Arizona
    MST7MDT,M3.2.0,M11.1.0 America/Boise America/Cambridge_Bay America/Ciudad_Juarez \
    America/Denver America/Shiprock MST7MDT Navajo US/Mountain
    NST3:30NDT,M3.2.0,M11.1.0 America/St_Johns Canada/Newfoundland
    NZST-12NZDT,M9.5.0,M4.1.0/3 Antarctica/McMurdo Antarctica/South_Pole NZ Pacific/Auckland
    PKT-5 Asia/Karachi
    PST-8 Asia/Manila
    PST8PDT,M3.2.0,M11.1.0 America/Ensenada America/Los_Angeles America/Santa_Isabel \
    America/Tijuana Mexico/BajaNorte PST8PDT US/Pacific
    SAST-2 Africa/Johannesburg Africa/Maseru Africa/Mbabane
    SST11 Pacific/Midway Pacific/Pago_Pago Pacific/Samoa US/Samoa
    UTC0 Etc/UCT Etc/UTC Etc/Universal Etc/Zulu UCT UTC Universal Zulu
    WAT-1 Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Lagos \
    Africa/Libreville Africa/Luanda Africa/Malabo Africa/Ndjamena Africa/Niamey \
    Africa/Porto-Novo
    WET0WEST,M3.5.0/1,M10.5.0 Atlantic/Canary Atlantic/Faeroe Atlantic/Faroe Atlantic/Madeira \
    Europe/Lisbon Portugal WET
    WIB-7 Asia/Jakarta Asia/Pontianak
    WIT-9 Asia/Jayapura
    WITA-8 Asia/Makassar Asia/Ujung_Pandang
    """

  /// Stretches of time in which zones follow another clock than that of their rule.
  ///
  /// A line each, with the names of the zones behind them. A stretch is `FROM/TO/OFFSET`: minutes
  /// since 1970 UTC, the end not included, and the minutes that the clock is ahead of UTC.
  static let exceptions = """
    23830440/24102540/120 24364680/24626700/120 24888840/25150860/120 25413000/25675020/120 \
    25937160/26209260/120 26461320/26733420/120 26995560/27257580/120 27519720/27781740/120 \
    Africa/Cairo Egypt
    23793240/23904120/60 23954520/24095640/60 24317400/24418200/60 24468600/24629880/60 \
    24841560/24922200/60 24982680/25154040/60 25365720/25436280/60 25486680/25950360/60 \
    26000760/26454360/60 26514840/26968440/60 27018840/27472440/60 27532920/27986520/60 \
    28036920/28500600/60 28551000/29004600/60 29065080/29518680/60 29569080/29831100/60 \
    Africa/Casablanca Africa/El_Aaiun
    23667840/26868780/180 Africa/Juba
    23667840/25158060/180 Africa/Khartoum
    25246140/25771740/60 Africa/Sao_Tome
    23803200/24025020/60 24327360/24549180/60 24851520/25073340/60 Africa/Windhoek
    23783220/24065520/-240 24317460/24589680/-240 24841620/25113840/-240 25365780/25648080/-240 \
    25889940/26172240/-240 26414100/26696400/-240 26948340/27220560/-240 27472500/27744720/-240 \
    27996660/28268880/-240 28520820/28803120/-240 America/Asuncion
    23803680/24095940/-300 24327840/24630180/-300 24852000/25154340/-300 25376160/25678500/-300 \
    25910400/26202660/-300 26434560/26726820/-300 26958720/27261060/-300 27482880/27785220/-300 \
    America/Bahia_Banderas America/Merida America/Mexico_City America/Monterrey Mexico/General
    23667840/23742900/-180 24085680/24267060/-180 24609840/24791220/-180 25134000/25315380/-180 \
    25688400/25839540/-180 America/Campo_Grande America/Cuiaba
    23667840/23712960/-360 America/Cancun
    23667840/24368100/-270 America/Caracas
    23667840/23803740/-420 24096000/24327900/-420 24630240/24852060/-420 25154400/25376220/-420 \
    25678560/25910460/-420 26202720/26434620/-420 26726880/26958780/-420 27261120/27482940/-420 \
    America/Chihuahua
    27795360/27829800/-360 America/Ciudad_Juarez
    24388020/24519120/-240 24912180/25043280/-240 25436340/25567440/-240 25910100/26131920/-240 \
    26434260/26656080/-240 26958420/27180240/-240 27482580/27714480/-240 28006740/28228560/-240 \
    28540980/28762800/-240 America/Coyhaique
    23667840/23763480/-480 24106140/24297720/-480 24640380/24821880/-480 25164540/25346040/-480 \
    25688700/25870200/-480 26212860/26394360/-480 America/Dawson America/Whitehorse \
    Canada/Yukon
    23667840/23763420/-420 24106080/24297660/-420 24640320/24821820/-420 25164480/25345980/-420 \
    25688640/25870140/-420 26212800/26394300/-420 26736960/26928540/-420 27271200/27452700/-420 \
    27795360/27976860/-420 28319520/28501020/-420 28843680/29025180/-420 29367840/29549340/-420 \
    America/Edmonton America/Inuvik America/Yellowknife Canada/Mountain
    23667840/23763480/-480 America/Fort_Nelson
    23667840/23793180/-180 23793180/24095580/-120 24095580/24317340/-180 24317340/24629820/-120 \
    24629820/24841500/-180 24841500/25153980/-120 25153980/25365660/-180 25365660/25678140/-120 \
    25678140/25899900/-180 25899900/26202300/-120 26202300/26424060/-180 26424060/26726460/-120 \
    26726460/26948220/-180 26948220/27260700/-120 27260700/27472380/-180 27472380/27784860/-120 \
    27784860/27996540/-180 27996540/28309020/-120 America/Godthab America/Nuuk
    24105960/24297540/-240 24640200/24821700/-240 25164360/25345860/-240 America/Grand_Turk
    29891820/30083340/-240 America/Havana Cuba
    23803740/24096000/-360 24327900/24630240/-360 24852060/25154400/-360 25376220/25678560/-360 \
    25910460/26202720/-360 26434620/26726880/-360 26958780/27261120/-360 27482940/27785280/-360 \
    America/Mazatlan Mexico/BajaSur
    23667840/23763540/-480 25688760/25799640/-480 America/Metlakatla
    23667840/23763120/-120 America/Montevideo
    23667840/23763420/-420 23763420/24106020/-360 24106080/24297660/-420 24297660/24640260/-360 \
    24640320/24821820/-420 24821820/25164420/-360 25164480/25345980/-420 25345980/25688580/-360 \
    25688640/25870140/-420 25870140/26212740/-360 26212800/26394300/-420 26394300/26736900/-360 \
    26736960/26928540/-420 26928540/27271140/-360 27271200/27452700/-420 27452700/27795300/-360 \
    America/Ojinaga
    24297540/24640200/-300 America/Port-au-Prince
    24388020/24519120/-240 America/Punta_Arenas Antarctica/Palmer
    23667840/23763360/-360 24106020/24297600/-360 24640260/24821760/-360 25164420/25345920/-360 \
    25688580/25870080/-360 26212740/26394240/-360 26736900/26928480/-360 27271140/27452640/-360 \
    27795300/27976800/-360 28319460/28500960/-360 28843620/29025120/-360 29367780/29549280/-360 \
    America/Rainy_River America/Winnipeg Canada/Central
    23803380/24025200/-180 24327540/24388020/-180 24519120/24549360/-180 24851700/24912180/-180 \
    25043280/25073520/-180 25385940/25436340/-180 25567440/25597680/-180 27704400/27714480/-240 \
    America/Santiago Chile/Continental
    23667840/23742840/-120 24085620/24267000/-120 24609780/24791160/-120 25133940/25315320/-120 \
    25688340/25839480/-120 America/Sao_Paulo Brazil/East
    23667840/23793180/-60 23793180/24095580/0 24095580/24317340/-60 24317340/24629820/0 \
    24629820/24841500/-60 24841500/25153980/0 25153980/25365660/-60 25365660/25678140/0 \
    25678140/25899900/-60 25899900/26202300/0 26202300/26424060/-60 26424060/26726460/0 \
    26726460/26948220/-60 26948220/27260700/0 27260700/27472380/-60 27472380/27784860/0 \
    27784860/27996540/-60 27996540/28309020/0 28309020/28530780/-60 America/Scoresbysund
    23667840/23763480/-480 24106140/24297720/-480 24640380/24821880/-480 25164540/25346040/-480 \
    25688700/25870200/-480 26212860/26394360/-480 26737020/26928600/-480 27271260/27452760/-480 \
    27795420/27976920/-480 28319580/28501080/-480 28843740/29025240/-480 29367900/29549400/-480 \
    America/Vancouver Canada/Pacific
    24617760/25345020/660 25647600/25879200/660 26168820/26393280/660 26695681/26927340/660 \
    27219841/27451500/660 27744001/27971520/660 Antarctica/Casey
    23667840/28380660/420 Antarctica/Vostok
    23667840/28487160/360 Asia/Almaty Asia/Qostanay
    23667840/23790120/120 24102600/24324360/120 24626760/24848520/120 25150920/25372680/120 \
    25675080/25896840/120 26199240/26421000/120 26733480/26945160/120 27257640/27429000/120 \
    Asia/Amman
    23793120/24095520/300 Asia/Baku
    23667840/24317040/360 Asia/Barnaul
    23667840/24316920/480 Asia/Chita
    23791320/24053220/540 24315480/24577380/540 Asia/Choibalsan Asia/Ulaanbaatar \
    Asia/Ulan_Bator
    23667840/23790120/120 24102540/24314280/120 24626700/24848520/120 25150860/25372680/120 \
    25675020/25896840/120 26199180/26421000/120 26733420/26945160/120 27257580/27469320/120 \
    Asia/Damascus
    24629820/24841500/180 Asia/Famagusta
    23791560/23791680/180 24092520/24094020/120 24315780/24315840/180 24628200/24628260/120 \
    24839940/24840000/180 25152360/25152420/120 25364100/25364160/180 25676520/25676580/120 \
    25896840/25898400/180 26200620/26200740/120 26422440/26422560/180 26724840/26724900/120 \
    26946600/26946720/180 27257640/27259140/120 27470880/27472200/120 27995040/28045440/120 \
    28529280/28559520/120 29053440/29073600/120 35131620/35141700/120 35645700/35665860/120 \
    36149700/36200100/120 36663780/36724260/120 37167780/37238400/120 37681860/37742400/120 \
    38195940/38256480/120 38699940/38770560/120 39214020/39274560/120 39728100/39788640/120 \
    40232100/40302720/120 40746180/40806720/120 41250180/41320800/120 41764260/41824800/120 \
    42278340/42338880/120 42782340/42852960/120 43296420/43356960/120 43800420/43871040/120 \
    44314500/44385120/120 44828640/44889120/120 45352800/45403200/120 45876960/45907200/120 \
    46411200/46421280/120 51965220/51975300/120 52479300/52499460/120 52993380/53023620/120 \
    53497380/53547780/120 54011460/54072000/120 54525540/54586080/120 55029540/55100160/120 \
    55543620/55604160/120 56047620/56118240/120 56561700/56632320/120 57075780/57136320/120 \
    57579780/57650400/120 58093860/58154400/120 58607940/58668480/120 59111940/59182560/120 \
    59626020/59686560/120 60130020/60200640/120 60644100/60714720/120 61158180/61218720/120 \
    Asia/Gaza Asia/Hebron
    23791380/24053280/480 24315540/24577440/480 Asia/Hovd
    23667840/23793180/120 24115740/24317340/120 Asia/Istanbul Europe/Istanbul Turkey
    23667840/24357120/600 Asia/Magadan
    23667840/24488400/360 Asia/Novosibirsk
    23992740/25424100/510 Asia/Pyongyang
    23667840/25755480/360 Asia/Qyzylorda
    23667840/24316800/600 Asia/Sakhalin
    23782830/24047730/270 24308430/24573330/270 24835470/25100370/270 25361070/25625970/270 \
    25886670/26151570/270 26412270/26677170/270 26939310/27204210/270 27464910/27729810/270 \
    Asia/Tehran Iran
    23667840/24407760/360 Asia/Tomsk
    23803380/24025200/-300 24327540/24388020/-300 24519120/24549360/-300 24851700/24912180/-300 \
    25043280/25073520/-300 25385940/25436340/-300 25567440/25597680/-300 27704400/27714480/-360 \
    Chile/EasterIsland Pacific/Easter
    23667840/24317220/180 Europe/Astrakhan Europe/Ulyanovsk
    23793120/23793180/180 24095520/24095580/120 24317280/24317340/180 24629760/24629820/120 \
    24841440/24841500/180 25153920/25153980/120 25365600/25365660/180 25678080/25678140/120 \
    25899840/25899900/180 26202240/26202300/120 26424000/26424060/180 26726400/26726460/120 \
    26948160/26948220/180 27260640/27260700/120 Europe/Chisinau Europe/Tiraspol
    23667840/24680100/180 Europe/Saratov
    25678020/26817000/240 Europe/Volgograd
    23667840/23802600/840 24054600/24326760/840 24578760/24850920/840 25102920/25375080/840 \
    25637160/25909320/840 26161320/26433480/840 26685480/26957640/840 Pacific/Apia
    23667840/23691720/780 24105000/24215880/780 24639240/24740040/780 25163400/25264200/780 \
    25687560/25788360/780 26221800/26312520/780 26806440/26846760/780 Pacific/Fiji
    23667840/24064710/690 24064740/24326820/660 24588900/24850980/660 25113060/25375140/660 \
    25647300/25909380/660 Pacific/Norfolk
    24639180/24739980/840 Pacific/Tongatapu
    """
}
